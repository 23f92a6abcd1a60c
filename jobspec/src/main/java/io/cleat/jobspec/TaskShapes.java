package io.cleat.jobspec;

import io.cleat.jobspec.Shape.Repeat;

/** The blocks of a task. */
final class TaskShapes {
    private TaskShapes() {}

    static Shape task() {
        return Shape.of("task")
                .label("Name")
                .text("driver", "Driver")
                .text("user", "User")
                .bool("leader", "Leader")
                .text("kind", "Kind")
                .duration("kill_timeout", "KillTimeout")
                .text("kill_signal", "KillSignal")
                .duration("shutdown_delay", "ShutdownDelay")
                .block("config", "Config", Repeat.OPAQUE, Shape.of("config"))
                .map("env", "Env")
                .map("meta", "Meta")
                .block("resources", "Resources", Repeat.ONCE, resources())
                .block("logs", "LogConfig", Repeat.ONCE, logs())
                .block("volume_mount", "VolumeMounts", Repeat.LIST, VolumeShapes.mount())
                .block("csi_plugin", "CSIPluginConfig", Repeat.ONCE, csiPlugin())
                .block("template", "Templates", Repeat.LIST, template())
                .block("artifact", "Artifacts", Repeat.LIST, artifact())
                .block("lifecycle", "Lifecycle", Repeat.ONCE, lifecycle())
                .block("restart", "RestartPolicy", Repeat.ONCE, JobShapes.restart())
                .block("constraint", "Constraints", Repeat.LIST, JobShapes.constraint())
                .block("affinity", "Affinities", Repeat.LIST, JobShapes.affinity())
                .required("driver")
                .later("identity", "vault", "consul", "action", "schedule", "secret")
                .block("service", "Services", Repeat.LIST, ServiceShapes.service())
                .block("dispatch_payload", "DispatchPayload", Repeat.ONCE, dispatchPayload())
                .later("scaling");
    }

    private static Shape dispatchPayload() {
        return Shape.of("dispatch_payload").text("file", "File");
    }

    private static Shape resources() {
        return Shape.of("resources")
                .integer("cpu", "CPU")
                .integer("cores", "Cores")
                .integer("memory", "MemoryMB")
                .integer("memory_max", "MemoryMaxMB")
                .integer("disk", "DiskMB")
                .integer("iops", "IOPS")
                .integer("secrets", "SecretsMB")
                .later("device", "numa", "network");
    }

    private static Shape logs() {
        return Shape.of("logs")
                .integer("max_files", "MaxFiles")
                .integer("max_file_size", "MaxFileSizeMB")
                .bool("disabled", "Disabled")
                .bool("enabled", "Enabled");
    }

    private static Shape csiPlugin() {
        return Shape.of("csi_plugin")
                .text("id", "ID")
                .with("type", "Type", Kind.oneOf("node", "controller", "monolith"))
                .text("mount_dir", "MountDir")
                .text("stage_publish_base_dir", "StagePublishBaseDir")
                .duration("health_timeout", "HealthTimeout")
                .bool("holds_mounts", "HoldsMounts")
                .with("on_mount_loss", "OnMountLoss", Kind.oneOf("alert", "restart_tasks", "remount"))
                .bool("overlap", "Overlap")
                .required("id", "type");
    }

    private static Shape template() {
        Shape script = Shape.of("change_script")
                .text("command", "Command")
                .texts("args", "Args")
                .duration("timeout", "Timeout")
                .bool("fail_on_error", "FailOnError");
        Shape wait = Shape.of("wait").duration("min", "Min").duration("max", "Max");
        return Shape.of("template")
                .text("source", "SourcePath")
                .text("destination", "DestPath")
                .text("data", "EmbeddedTmpl")
                .text("change_mode", "ChangeMode")
                .text("change_signal", "ChangeSignal")
                .block("change_script", "ChangeScript", Repeat.ONCE, script)
                .duration("splay", "Splay")
                .text("perms", "Perms")
                .integer("uid", "Uid")
                .integer("gid", "Gid")
                .text("left_delimiter", "LeftDelim")
                .text("right_delimiter", "RightDelim")
                .bool("env", "Envvars")
                .bool("once", "Once")
                .block("wait", "Wait", Repeat.ONCE, wait)
                .bool("error_on_missing_key", "ErrMissingKey");
    }

    private static Shape artifact() {
        return Shape.of("artifact")
                .text("source", "GetterSource")
                .text("destination", "RelativeDest")
                .text("mode", "GetterMode")
                .map("options", "GetterOptions")
                .map("headers", "GetterHeaders")
                .bool("insecure", "GetterInsecure")
                .bool("chown", "Chown");
    }

    private static Shape lifecycle() {
        return Shape.of("lifecycle")
                .with("hook", "Hook", Kind.oneOf("prestart", "poststart", "poststop"))
                .bool("sidecar", "Sidecar");
    }
}
