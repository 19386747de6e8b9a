/* SPDX-License-Identifier: MIT */
#include "derive/program/builder.h"
#include "derive/stream/plan.h"

const HeddleDefinition *
heddle_builder_get (const HeddleBuilder *builder, guint i)
{
  return heddle_stream_plan_definition (builder->plan, i);
}

const HeddleStreaming *
heddle_builder_streaming (const HeddleBuilder *builder, guint i)
{
  return heddle_stream_plan_get (builder->plan, i);
}
