/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/base/reserved-words.h"

/* The words of C and C++ that occur in no kernel, but that cannot be a parameter or a function of a launcher
 * or of its header. */
static const char *const words[] = { "and_eq", "char8_t", "char16_t", "char32_t", "co_await", "co_return",
  "co_yield", "concept", "consteval", "constinit", "const_cast", "dynamic_cast", "not_eq", "or_eq",
  "reinterpret_cast", "requires", "restrict", "static_assert", "static_cast", "thread_local", "typeof",
  "wchar_t", "xor_eq", "NULL", "EOF", "NZERO", "linux", "unix", "i386" };

/* The macros of limits.h, which come with CUDA's headers. */
static const char *const endings[] = { "_MAX", "_MIN", "_BIT", "_WIDTH" };

/* The functions of the C library (ISO C, POSIX) and of CUDA's mathematics: a function of that name in a
 * library is not compiled, or stands in for the one that a program means. Those that end in f and l are not
 * listed. */
static const char *const functions[] = { "a64l", "abort", "abs", "accept", "accept4", "access", "acct",
  "acos", "acosh", "alarm", "all", "any", "arc4random", "asctime", "asin", "asinh", "asprintf", "atan",
  "atan2", "atanh", "atof", "atoi", "atol", "ballot", "basename", "bcmp", "bcopy", "bind", "brk", "bsearch",
  "bzero", "calloc", "canonicalize", "cbrt", "ceil", "chdir", "chown", "chroot", "clearenv", "clearerr",
  "clock", "close", "closefrom", "confstr", "connect", "copysign", "cos", "cosh", "cospi", "ctermid", "ctime",
  "cuserid", "daddl", "daemon", "ddivl", "dfmal", "difftime", "div", "dmull", "dprintf", "drand48", "drem",
  "dsqrtl", "dsubl", "dup", "dup2", "dup3", "dysize", "eaccess", "ecvt", "endusershell", "erand48", "erf",
  "erfc", "erfcinv", "erfcx", "erfinv", "euidaccess", "execl", "execle", "execlp", "execv", "execve",
  "execveat", "execvp", "execvpe", "exit", "exp", "exp10", "exp2", "expm1", "fabs", "faccessat", "fadd",
  "fchdir", "fchown", "fchownat", "fclose", "fcloseall", "fcvt", "fdatasync", "fdim", "fdiv", "fdivide",
  "fdopen", "feof", "ferror", "fexecve", "fflush", "ffma", "ffs", "fgetc", "fgetpos", "fgets", "fileno",
  "flockfile", "floor", "fma", "fmax", "fmaximum", "fmaxmag", "fmemopen", "fmin", "fminimum", "fminmag",
  "fmod", "fmul", "fopen", "fopencookie", "fork", "fpathconf", "fprintf", "fputc", "fputs", "fread", "free",
  "freopen", "frexp", "fromfp", "fromfpx", "fscanf", "fseek", "fseeko", "fsetpos", "fsqrt", "fsub", "fsync",
  "ftell", "ftello", "ftruncate", "ftrylockfile", "funlockfile", "fwrite", "gamma", "gcvt", "getc", "getchar",
  "getcwd", "getdate", "getdelim", "getdomainname", "getdtablesize", "getegid", "getentropy", "getenv",
  "geteuid", "getgid", "getgroups", "gethostid", "gethostname", "getline", "getloadavg", "getlogin", "getopt",
  "getpagesize", "getpass", "getpayload", "getpeername", "getpgid", "getpgrp", "getpid", "getppid", "getpt",
  "getresgid", "getresuid", "getsid", "getsockname", "getsockopt", "getsubopt", "gettid", "getuid",
  "getusershell", "getw", "getwd", "gmtime", "grantpt", "gsignal", "hypot", "ilogb", "index", "initstate",
  "isalnum", "isalpha", "isascii", "isatty", "isblank", "iscntrl", "isctype", "isdigit", "isfdtype",
  "isgraph", "isinf", "islower", "isnan", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "j0", "j1",
  "jn", "jrand48", "kill", "killpg", "l64a", "labs", "lchown", "lcong48", "ldexp", "ldiv", "lgamma", "link",
  "linkat", "listen", "llabs", "lldiv", "llmax", "llmin", "llogb", "llrint", "llround", "localtime", "lockf",
  "log", "log10", "log1p", "log2", "logb", "lrand48", "lrint", "lround", "lseek", "malloc", "max", "mblen",
  "mbstowcs", "mbtowc", "memccpy", "memchr", "memcmp", "memcpy", "memfrob", "memmem", "memmove", "mempcpy",
  "memrchr", "memset", "min", "mkdtemp", "mkostemp", "mkostemps", "mkstemp", "mkstemps", "mktemp", "mktime",
  "modf", "mrand48", "nan", "nanosleep", "nearbyint", "nextafter", "nextdown", "nexttoward", "nextup", "nice",
  "norm", "norm3d", "norm4d", "normcdf", "normcdfinv", "nrand48", "pathconf", "pause", "pclose", "perror",
  "pipe", "pipe2", "popen", "pow", "pread", "printf", "profil", "pselect", "psiginfo", "psignal", "ptsname",
  "putc", "putchar", "putenv", "puts", "putw", "pwrite", "qecvt", "qfcvt", "qgcvt", "qsort", "raise", "rand",
  "random", "rawmemchr", "rcbrt", "read", "readlink", "readlinkat", "realloc", "reallocarray", "realpath",
  "recv", "recvfrom", "recvmmsg", "recvmsg", "remainder", "remove", "remquo", "rename", "renameat",
  "renameat2", "revoke", "rewind", "rhypot", "rindex", "rint", "rmdir", "rnorm", "round", "roundeven",
  "rpmatch", "sbrk", "scalb", "scalbln", "scalbn", "scanf", "seed48", "select", "send", "sendmmsg", "sendmsg",
  "sendto", "setbuf", "setbuffer", "setdomainname", "setegid", "setenv", "seteuid", "setgid", "sethostid",
  "sethostname", "setlinebuf", "setlogin", "setpayload", "setpayloadsig", "setpgid", "setpgrp", "setregid",
  "setresgid", "setresuid", "setreuid", "setsid", "setsockopt", "setstate", "setuid", "setusershell",
  "setvbuf", "shutdown", "sigaction", "sigaddset", "sigaltstack", "sigandset", "sigblock", "sigdelset",
  "sigemptyset", "sigfillset", "siggetmask", "sighold", "sigignore", "siginterrupt", "sigisemptyset",
  "sigismember", "signal", "significand", "sigorset", "sigpause", "sigpending", "sigprocmask", "sigqueue",
  "sigrelse", "sigreturn", "sigset", "sigsetmask", "sigstack", "sigsuspend", "sigtimedwait", "sigwait",
  "sigwaitinfo", "sin", "sincos", "sincospi", "sinh", "sinpi", "sleep", "snprintf", "sockatmark", "socket",
  "socketpair", "sprintf", "sqrt", "srand", "srand48", "srandom", "sscanf", "ssignal", "stpcpy", "stpncpy",
  "strcasecmp", "strcasestr", "strcat", "strchr", "strchrnul", "strcmp", "strcoll", "strcpy", "strcspn",
  "strdup", "strerror", "strfromd", "strfromf", "strfroml", "strfry", "strftime", "strlen", "strncasecmp",
  "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk", "strptime", "strrchr", "strsep",
  "strsignal", "strspn", "strstr", "strtod", "strtof", "strtok", "strtol", "strtold", "strtoq", "strtoul",
  "strtouq", "strverscmp", "strxfrm", "swab", "symlink", "symlinkat", "sync", "syncfs", "syscall", "sysconf",
  "system", "tan", "tanh", "tcgetpgrp", "tcsetpgrp", "tempnam", "tgamma", "tgkill", "time", "timegm",
  "timelocal", "tmpfile", "tmpnam", "toascii", "tolower", "totalorder", "totalordermag", "toupper", "trunc",
  "truncate", "ttyname", "ttyslot", "tzset", "ualarm", "ufromfp", "ufromfpx", "ullmax", "ullmin", "umax",
  "umin", "ungetc", "unlink", "unlinkat", "unlockpt", "unsetenv", "usleep", "valloc", "vasprintf", "vdprintf",
  "vfork", "vfprintf", "vfscanf", "vhangup", "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf",
  "wcstombs", "wctomb", "write", "y0", "y1", "yn", NULL };

gboolean
heddle_reserved_words_is_keyword (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]))
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (words[i], name) == 0)
      return TRUE;
  return FALSE;
}

gboolean
heddle_reserved_words_is_library_function (const char *name)
{
  gsize n = strlen (name);
  g_autofree char *base = n > 1 && strchr ("fl", name[n - 1]) ? g_strndup (name, n - 1) : NULL;

  return g_strv_contains (functions, name) || (base != NULL && g_strv_contains (functions, base));
}
