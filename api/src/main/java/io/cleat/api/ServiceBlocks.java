package io.cleat.api;

import static io.cleat.api.JobConversion.listOf;
import static io.cleat.api.JobConversion.mapOf;
import static io.cleat.api.JobConversion.orNull;
import static io.cleat.api.JobField.block;
import static io.cleat.api.JobField.blocks;
import static io.cleat.api.JobField.duration;
import static io.cleat.api.JobField.flag;
import static io.cleat.api.JobField.listsByName;
import static io.cleat.api.JobField.number;
import static io.cleat.api.JobField.opaque;
import static io.cleat.api.JobField.text;
import static io.cleat.api.JobField.texts;
import static io.cleat.api.JobField.textsByName;

import io.cleat.model.AddressMode;
import io.cleat.model.OnUpdate;
import io.cleat.model.ServiceProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The services of a group or of a task, and their blocks. */
final class ServiceBlocks {
    static final String PROVIDER = "nomad";
    static final String TCP = "tcp";
    static final String HTTP = "http";
    static final String HTTPS = "https";
    static final String SCRIPT = "script";

    private static final ServiceProbe.Http NO_REQUEST = new ServiceProbe.Http("", "", false, false, Map.of(), "");
    private static final ServiceProbe.Script NO_COMMAND = new ServiceProbe.Script("", List.of());

    private static final JobBlock<CheckRestart, io.cleat.model.CheckRestart> CHECK_RESTART = JobBlock.of(
                    "check_restart", CheckRestart.class, io.cleat.model.CheckRestart.class)
            .fields(number("Limit"), duration("Grace").usually(Duration.ofSeconds(1)), flag("IgnoreWarnings"))
            .done();

    static final JobBlock<ServiceCheck, io.cleat.model.ServiceCheck> CHECK = JobBlock.of(
                    "check", ServiceCheck.class, io.cleat.model.ServiceCheck.class)
            .fields(
                    text("Name"),
                    text("Type").notInModel().required(),
                    text("PortLabel").inFile("port"),
                    text("AddressMode").notInModel(),
                    text("Advertise").ofConsul("advertise"),
                    text("Command").notInModel(),
                    texts("Args").notInModel(),
                    text("Path").notInModel(),
                    text("Protocol").notInModel(),
                    text("Method").notInModel(),
                    text("Body").notInModel(),
                    listsByName("Header").notInModel(),
                    flag("Expose").ofConsul("expose"),
                    duration("Interval").usually(Duration.ZERO),
                    duration("Timeout").usually(Duration.ZERO),
                    text("InitialStatus").ofConsul("initial_status"),
                    text("Notes").ofConsul("notes"),
                    text("OnUpdate"),
                    text("TaskName").inFile("task").inModel("task"),
                    number("SuccessBeforePassing").ofConsul("success_before_passing"),
                    number("FailuresBeforeCritical").ofConsul("failures_before_critical"),
                    number("FailuresBeforeWarning").ofConsul("failures_before_warning"),
                    flag("TLSSkipVerify").notInModel(),
                    text("TLSServerName").ofConsul("tls_server_name"),
                    text("GRPCService").inFile("grpc_service").ofConsul("grpc_service"),
                    flag("GRPCUseTLS").inFile("grpc_use_tls").ofConsul("grpc_use_tls"),
                    block("CheckRestart", CHECK_RESTART).inModel("restart"))
            .taken("address", given -> address(given.AddressMode()))
            .shown(
                    "AddressMode",
                    check -> check.address() == AddressMode.AUTO
                            ? ""
                            : check.address().wire())
            .taken("probe", ServiceBlocks::probe)
            .shown("Type", check -> type(check.probe()))
            .shown("Command", check -> script(check).command())
            .shown("Args", check -> orNull(script(check).args()))
            .shown("Path", check -> http(check).path())
            .shown("Protocol", check -> http(check).isSecure() ? HTTPS : "")
            .shown("Method", check -> http(check).method())
            .shown("Body", check -> http(check).body())
            .shown("Header", check -> orNull(http(check).headers()))
            .shown("TLSSkipVerify", check -> http(check).skipsVerification())
            .done();

    static final JobBlock<Service, io.cleat.model.Service> SERVICE = JobBlock.of(
                    "service", Service.class, io.cleat.model.Service.class)
            .fields(
                    text("Name"),
                    text("PortLabel").inFile("port"),
                    text("Provider").notInModel().usually("consul"),
                    text("Address"),
                    text("AddressMode").usually(AddressMode.AUTO),
                    texts("Tags"),
                    texts("CanaryTags"),
                    flag("EnableTagOverride").ofConsul("enable_tag_override"),
                    text("OnUpdate").usually(OnUpdate.REQUIRE_HEALTHY),
                    text("TaskName").inFile("task").inModel("task"),
                    text("Cluster").ofConsul("cluster"),
                    text("Kind").ofConsul("kind"),
                    textsByName("Meta"),
                    textsByName("CanaryMeta"),
                    textsByName("TaggedAddresses").ofConsul("tagged_addresses"),
                    blocks("Checks", CHECK),
                    block("CheckRestart", CHECK_RESTART).notInModel(),
                    text("Namespace").onlyOnWire(),
                    opaque("Connect").onlyOnWire().ofConsul("connect"),
                    opaque("Identity").onlyOnWire().ofConsul("identity"),
                    opaque("Weights").onlyOnWire().ofConsul("weights"))
            .later("connect", "identity", "weights")
            .shown("Provider", _ -> PROVIDER)
            .done();

    private ServiceBlocks() {}

    private static AddressMode address(String given) {
        return JobConversion.wire(AddressMode.class, Canonical.orElse(given, AddressMode.AUTO.wire()));
    }

    private static ServiceProbe probe(ServiceCheck given) {
        return switch (given.Type()) {
            case TCP -> new ServiceProbe.Tcp();
            case SCRIPT -> new ServiceProbe.Script(given.Command(), listOf(given.Args()));
            default ->
                new ServiceProbe.Http(
                        given.Method(),
                        given.Path(),
                        given.Protocol().equals(HTTPS),
                        given.TLSSkipVerify(),
                        mapOf(given.Header()),
                        given.Body());
        };
    }

    private static String type(ServiceProbe probe) {
        return switch (probe) {
            case ServiceProbe.Tcp _ -> TCP;
            case ServiceProbe.Http _ -> HTTP;
            case ServiceProbe.Script _ -> SCRIPT;
        };
    }

    private static ServiceProbe.Http http(io.cleat.model.ServiceCheck check) {
        return check.probe() instanceof ServiceProbe.Http is ? is : NO_REQUEST;
    }

    private static ServiceProbe.Script script(io.cleat.model.ServiceCheck check) {
        return check.probe() instanceof ServiceProbe.Script is ? is : NO_COMMAND;
    }
}
