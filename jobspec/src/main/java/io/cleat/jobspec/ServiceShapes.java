package io.cleat.jobspec;

import io.cleat.jobspec.Shape.Repeat;

/** The blocks of a service. */
final class ServiceShapes {
    private ServiceShapes() {}

    static Shape service() {
        return Shape.of("service")
                .text("name", "Name")
                .text("port", "PortLabel")
                .text("provider", "Provider")
                .text("address", "Address")
                .text("address_mode", "AddressMode")
                .texts("tags", "Tags")
                .texts("canary_tags", "CanaryTags")
                .bool("enable_tag_override", "EnableTagOverride")
                .text("on_update", "OnUpdate")
                .text("task", "TaskName")
                .text("cluster", "Cluster")
                .text("kind", "Kind")
                .map("meta", "Meta")
                .map("canary_meta", "CanaryMeta")
                .map("tagged_addresses", "TaggedAddresses")
                .block("check", "Checks", Repeat.LIST, check())
                .block("check_restart", "CheckRestart", Repeat.ONCE, restart())
                .later("connect", "identity", "weights");
    }

    private static Shape check() {
        return Shape.of("check")
                .text("name", "Name")
                .text("type", "Type")
                .text("port", "PortLabel")
                .text("address_mode", "AddressMode")
                .text("advertise", "Advertise")
                .text("command", "Command")
                .texts("args", "Args")
                .text("path", "Path")
                .text("protocol", "Protocol")
                .text("method", "Method")
                .text("body", "Body")
                .lists("header", "Header")
                .bool("expose", "Expose")
                .duration("interval", "Interval")
                .duration("timeout", "Timeout")
                .text("initial_status", "InitialStatus")
                .text("notes", "Notes")
                .text("on_update", "OnUpdate")
                .text("task", "TaskName")
                .integer("success_before_passing", "SuccessBeforePassing")
                .integer("failures_before_critical", "FailuresBeforeCritical")
                .integer("failures_before_warning", "FailuresBeforeWarning")
                .bool("tls_skip_verify", "TLSSkipVerify")
                .text("tls_server_name", "TLSServerName")
                .text("grpc_service", "GRPCService")
                .bool("grpc_use_tls", "GRPCUseTLS")
                .block("check_restart", "CheckRestart", Repeat.ONCE, restart())
                .required("type");
    }

    private static Shape restart() {
        return Shape.of("check_restart")
                .integer("limit", "Limit")
                .duration("grace", "Grace")
                .bool("ignore_warnings", "IgnoreWarnings");
    }
}
