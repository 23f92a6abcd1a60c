package io.cleat.jobspec;

import io.cleat.api.Namespace;
import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.HclFile;
import io.cleat.jobspec.hcl.LiveBody;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;
import io.cleat.jobspec.hcl.World;
import org.jspecify.annotations.Nullable;

/** Namespace files: HCL; JSON with the names of the HCL; or JSON as the API has it. */
public final class NamespaceFile {
    private static final Shape SHAPE =
            Shape.of("namespace")
                    .text("name", "Name")
                    .text("description", "Description")
                    .text("quota", "Quota")
                    .map("meta", "Meta")
                    .block("capabilities", "Capabilities", Repeat.ONCE, capabilities())
                    .later("node_pool_config", "vault", "consul")
                    .required("name");

    private NamespaceFile() {}

    private static Shape capabilities() {
        return Shape.of("capabilities")
                .texts("enabled_task_drivers", "EnabledTaskDrivers")
                .texts("disabled_task_drivers", "DisabledTaskDrivers")
                .later("enabled_network_modes", "disabled_network_modes");
    }

    public static Parsed<Namespace> parse(Source source, Variables variables, World world) {
        Faults faults = new Faults();
        Tree namespace =
                JsonTree.isJson(source)
                        ? json(source, faults)
                        : hcl(source, variables, world, faults);
        return Records.read(namespace, Namespace.class, faults);
    }

    private static Tree hcl(Source source, Variables variables, World world, Faults faults) {
        LiveBody body = HclFile.read(source, variables, world, faults);
        Tree.Fields namespace = new Tree.Fields(source.span(0, 0));
        new Mapper(faults).body(SHAPE, body, source.span(0, 0), namespace);
        return namespace;
    }

    private static @Nullable Tree json(Source source, Faults faults) {
        Tree tree = JsonTree.read(source, faults);
        if (!(tree instanceof Tree.Fields fields)) {
            return null;
        }
        return fields.fields().keySet().stream().anyMatch(SHAPE.names()::contains)
                ? new NamedTree(faults).rename(SHAPE, fields)
                : new RecordCheck(faults).check(fields, Namespace.class);
    }
}
