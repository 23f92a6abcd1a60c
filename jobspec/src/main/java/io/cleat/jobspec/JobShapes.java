package io.cleat.jobspec;

import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.Span;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The blocks of a job file. */
final class JobShapes {
    private static final String[] SHORTCUTS = {
        "version",
        "semver",
        "regexp",
        "set_contains",
        "set_contains_all",
        "set_contains_any",
        "distinct_property",
        "distinct_hosts"
    };

    /** Marks a field that is folded into another. */
    private static final String SHORTCUT = "shortcut ";

    /** The field {@code id} of a job, which stands in the place of the block's label. */
    private static final String GIVEN_ID = SHORTCUT + "id";

    private JobShapes() {}

    static Shape file() {
        return Shape.of("job file").block("job", "Job", Repeat.ONCE, job()).required("job");
    }

    private static Shape job() {
        Shape job = Shape.of("job")
                .label("ID")
                .text("id", GIVEN_ID)
                .text("name", "Name")
                .with("type", "Type", Kind.oneOf("service", "batch", "system", "sysbatch"))
                .text("region", "Region")
                .text("namespace", "Namespace")
                .text("node_pool", "NodePool")
                .integer("priority", "Priority")
                .texts("datacenters", "Datacenters")
                .bool("all_at_once", "AllAtOnce")
                .block("update", "Update", Repeat.ONCE, update())
                .block("reschedule", "Reschedule", Repeat.ONCE, reschedule())
                .block("migrate", "Migrate", Repeat.ONCE, migrate())
                .block("group", "TaskGroups", Repeat.LIST, group())
                .required("group")
                .block("periodic", "Periodic", Repeat.ONCE, periodic())
                .block("parameterized", "ParameterizedJob", Repeat.ONCE, parameterized())
                .later("multiregion", "ui", "vault", "consul")
                .finish((fields, _, _) -> nameIsId(fields));
        return placement(job.map("meta", "Meta"));
    }

    private static Shape periodic() {
        return Shape.of("periodic")
                .text("cron", "Spec")
                .texts("crons", "Specs")
                .bool("enabled", "Enabled")
                .bool("prohibit_overlap", "ProhibitOverlap")
                .text("time_zone", "TimeZone");
    }

    private static Shape parameterized() {
        return Shape.of("parameterized")
                .with("payload", "Payload", Kind.oneOf("optional", "required", "forbidden"))
                .texts("meta_required", "MetaRequired")
                .texts("meta_optional", "MetaOptional");
    }

    /** The label is the name, and the id where no other is given. */
    private static void nameIsId(Tree.Fields job) {
        Tree.Field given = job.fields().remove(GIVEN_ID);
        Tree.Field id = job.fields().get("ID");
        if (id != null && job.get("Name") == null) {
            job.put("Name", id.nameAt(), id.value());
        }
        if (given != null) {
            job.put("ID", given.nameAt(), given.value());
        }
    }

    /** What job, group and task all have. */
    private static Shape placement(Shape shape) {
        return shape.block("constraint", "Constraints", Repeat.LIST, constraint())
                .block("affinity", "Affinities", Repeat.LIST, affinity())
                .block("spread", "Spreads", Repeat.LIST, spread());
    }

    private static Shape group() {
        Shape group = Shape.of("group")
                .label("Name")
                .integer("count", "Count")
                .duration("shutdown_delay", "ShutdownDelay")
                .duration("stop_after_client_disconnect", "StopAfterClientDisconnect")
                .duration("max_client_disconnect", "MaxClientDisconnect")
                .duration("max_run_duration", "MaxRunDuration")
                .bool("prevent_reschedule_on_lost", "PreventRescheduleOnLost")
                .block("volume", "Volumes", Repeat.BY_LABEL, VolumeShapes.request())
                .block("restart", "RestartPolicy", Repeat.ONCE, restart())
                .block("reschedule", "ReschedulePolicy", Repeat.ONCE, reschedule())
                .block("migrate", "Migrate", Repeat.ONCE, migrate())
                .block("update", "Update", Repeat.ONCE, update())
                .block("ephemeral_disk", "EphemeralDisk", Repeat.ONCE, ephemeralDisk())
                .block("network", "Networks", Repeat.LIST, network())
                .block("disconnect", "Disconnect", Repeat.ONCE, disconnect())
                .block("scaling", "Scaling", Repeat.ONCE, scaling())
                .block("task", "Tasks", Repeat.LIST, TaskShapes.task())
                .required("task")
                .block("service", "Services", Repeat.LIST, ServiceShapes.service())
                .later("consul", "vault", "secret");
        return placement(group.map("meta", "Meta"));
    }

    private static Shape scaling() {
        return Shape.of("scaling")
                .bool("enabled", "Enabled")
                .integer("min", "Min")
                .integer("max", "Max")
                .block("policy", "Policy", Repeat.OPAQUE, Shape.of("policy"))
                .required("max");
    }

    static Shape restart() {
        return Shape.of("restart")
                .integer("attempts", "Attempts")
                .duration("delay", "Delay")
                .duration("interval", "Interval")
                .with("mode", "Mode", Kind.oneOf("fail", "delay"))
                .bool("render_templates", "RenderTemplates");
    }

    private static Shape reschedule() {
        return Shape.of("reschedule")
                .integer("attempts", "Attempts")
                .duration("delay", "Delay")
                .with("delay_function", "DelayFunction", Kind.oneOf("constant", "exponential", "fibonacci"))
                .duration("interval", "Interval")
                .duration("max_delay", "MaxDelay")
                .bool("unlimited", "Unlimited");
    }

    private static Shape migrate() {
        return Shape.of("migrate")
                .text("health_check", "HealthCheck")
                .duration("healthy_deadline", "HealthyDeadline")
                .integer("max_parallel", "MaxParallel")
                .duration("min_healthy_time", "MinHealthyTime");
    }

    private static Shape update() {
        return Shape.of("update")
                .bool("auto_promote", "AutoPromote")
                .bool("auto_revert", "AutoRevert")
                .integer("canary", "Canary")
                .text("health_check", "HealthCheck")
                .duration("healthy_deadline", "HealthyDeadline")
                .integer("max_parallel", "MaxParallel")
                .duration("min_healthy_time", "MinHealthyTime")
                .duration("progress_deadline", "ProgressDeadline")
                .duration("stagger", "Stagger");
    }

    private static Shape ephemeralDisk() {
        return Shape.of("ephemeral_disk")
                .bool("migrate", "Migrate")
                .integer("size", "SizeMB")
                .bool("sticky", "Sticky");
    }

    private static Shape disconnect() {
        return Shape.of("disconnect")
                .duration("lost_after", "LostAfter")
                .duration("stop_on_client_after", "StopOnClientAfter")
                .bool("replace", "Replace")
                .text("reconcile", "Reconcile");
    }

    private static Shape network() {
        Shape port = Shape.of("port")
                .label("Label")
                .integer("static", "Value")
                .integer("to", "To")
                .text("host_network", "HostNetwork")
                .bool("ignore_collision", "IgnoreCollision");
        Shape dns = Shape.of("dns")
                .texts("servers", "Servers")
                .texts("searches", "Searches")
                .texts("options", "Options");
        return Shape.of("network")
                .text("mode", "Mode")
                .text("device", "Device")
                .text("cidr", "CIDR")
                .text("ip", "IP")
                .text("hostname", "Hostname")
                .integer("mbits", "MBits")
                .block("dns", "DNS", Repeat.ONCE, dns)
                .block("port", "DynamicPorts", Repeat.LIST, port)
                .block("cni", "CNI", Repeat.ONCE, Shape.of("cni").map("args", "Args"))
                .finish((fields, at, _) -> partPorts(fields, at));
    }

    /** Ports with a fixed number are a list of their own. */
    private static void partPorts(Tree.Fields network, Span at) {
        if (!(network.get("DynamicPorts") instanceof Tree.Many(List<Tree> ports, var _))) {
            return;
        }
        List<Tree> fixed = new ArrayList<>();
        for (Tree port : ports) {
            boolean isFixed = port instanceof Tree.Fields fields
                    && fields.get("Value") instanceof Tree.Scalar(Object value, var _)
                    && value instanceof BigDecimal number
                    && number.signum() != 0;
            if (isFixed) {
                fixed.add(port);
            }
        }
        if (!fixed.isEmpty()) {
            ports.removeAll(fixed);
            network.put("ReservedPorts", at, new Tree.Many(fixed, at));
        }
    }

    static Shape constraint() {
        return withShortcuts(Shape.of("constraint")).finish(JobShapes::target);
    }

    static Shape affinity() {
        return withShortcuts(Shape.of("affinity")).integer("weight", "Weight").finish(JobShapes::target);
    }

    private static Shape withShortcuts(Shape shape) {
        shape.text("attribute", "LTarget").text("operator", "Operand").text("value", "RTarget");
        for (String shortcut : SHORTCUTS) {
            shape.text(shortcut, SHORTCUT + shortcut);
        }
        return shape;
    }

    /** {@code version = "x"} stands for an operator with its value. */
    private static void target(Tree.Fields fields, Span at, Faults faults) {
        for (String shortcut : SHORTCUTS) {
            Tree.Field given = fields.fields().remove(SHORTCUT + shortcut);
            if (given == null) {
                continue;
            }
            if (fields.get("Operand") != null) {
                faults.add(
                        given.nameAt(),
                        "Two operators",
                        "\""
                                + shortcut
                                + "\" is an operator of its own; take the other one out, or write a second block.");
            }
            fields.put("Operand", given.nameAt(), new Tree.Scalar(shortcut, given.nameAt()));
            boolean isProperty = shortcut.equals("distinct_property");
            fields.put(isProperty ? "LTarget" : "RTarget", given.nameAt(), given.value());
        }
        if (fields.get("Operand") == null) {
            fields.put("Operand", at, new Tree.Scalar("=", at));
        }
    }

    private static Shape spread() {
        Shape target = Shape.of("target").label("Value").integer("percent", "Percent");
        return Shape.of("spread")
                .text("attribute", "Attribute")
                .integer("weight", "Weight")
                .block("target", "SpreadTarget", Repeat.LIST, target);
    }
}
