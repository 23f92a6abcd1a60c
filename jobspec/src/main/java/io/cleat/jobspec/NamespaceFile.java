package io.cleat.jobspec;

import io.cleat.api.Namespace;
import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.RuntimeValues;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Variables;

/** Namespace files: HCL; JSON with the names of the HCL; or JSON as the API has it. */
public final class NamespaceFile {
    private static final Shape SHAPE = Shape.of("namespace")
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

    public static Parsed<Namespace> parse(Source source, Variables variables, RuntimeValues runtime) {
        return new RecordFile<>(SHAPE, Namespace.class).parse(source, variables, runtime);
    }
}
