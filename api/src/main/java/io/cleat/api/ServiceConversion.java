package io.cleat.api;

import static io.cleat.api.JobConversion.duration;
import static io.cleat.api.JobConversion.listOf;
import static io.cleat.api.JobConversion.mapOf;
import static io.cleat.api.JobConversion.orNull;
import static io.cleat.api.JobConversion.wire;

import io.cleat.model.AddressMode;
import io.cleat.model.OnUpdate;
import io.cleat.model.ServiceProbe;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of {@link JobConversion} for services. */
final class ServiceConversion {
    static final String PROVIDER = "nomad";
    static final String TCP = "tcp";
    static final String HTTP = "http";
    static final String HTTPS = "https";
    static final String SCRIPT = "script";

    private static final ServiceProbe.Http NO_REQUEST = new ServiceProbe.Http("", "", false, false, Map.of(), "");
    private static final ServiceProbe.Script NO_COMMAND = new ServiceProbe.Script("", List.of());

    private ServiceConversion() {}

    static List<io.cleat.model.Service> toModel(@Nullable List<Service> given) {
        return listOf(given).stream().map(ServiceConversion::service).toList();
    }

    /** @param namespace of the job */
    static @Nullable List<Service> toJson(List<io.cleat.model.Service> given, String namespace) {
        return given.isEmpty()
                ? null
                : given.stream().map(one -> service(one, namespace)).toList();
    }

    private static io.cleat.model.Service service(Service given) {
        return new io.cleat.model.Service(
                given.Name(),
                given.PortLabel(),
                wire(AddressMode.class, given.AddressMode()),
                given.Address(),
                listOf(given.Tags()),
                listOf(given.CanaryTags()),
                mapOf(given.Meta()),
                mapOf(given.CanaryMeta()),
                wire(OnUpdate.class, given.OnUpdate()),
                given.TaskName(),
                listOf(given.Checks()).stream().map(ServiceConversion::check).toList());
    }

    private static Service service(io.cleat.model.Service given, String namespace) {
        List<ServiceCheck> checks =
                given.checks().stream().map(ServiceConversion::check).toList();
        return new Service(
                given.address(),
                given.addressMode().wire(),
                orNull(given.canaryMeta()),
                given.canaryTags().isEmpty() ? null : given.canaryTags(),
                null,
                checks.isEmpty() ? null : checks,
                "",
                null,
                false,
                null,
                "",
                orNull(given.meta()),
                given.name(),
                namespace,
                given.onUpdate().wire(),
                given.portLabel(),
                PROVIDER,
                null,
                given.tags().isEmpty() ? null : given.tags(),
                given.task(),
                null);
    }

    private static io.cleat.model.ServiceCheck check(ServiceCheck given) {
        CheckRestart restart = given.CheckRestart();
        return new io.cleat.model.ServiceCheck(
                given.Name(),
                probe(given),
                given.PortLabel(),
                wire(AddressMode.class, Canonical.orElse(given.AddressMode(), "auto")),
                duration(given.Interval()),
                duration(given.Timeout()),
                wire(OnUpdate.class, given.OnUpdate()),
                given.TaskName(),
                restart == null
                        ? null
                        : new io.cleat.model.CheckRestart(
                                restart.Limit(), duration(restart.Grace()), restart.IgnoreWarnings()));
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

    private static ServiceCheck check(io.cleat.model.ServiceCheck given) {
        io.cleat.model.CheckRestart restart = given.restart();
        ServiceProbe probe = given.probe();
        ServiceProbe.Http http = probe instanceof ServiceProbe.Http is ? is : NO_REQUEST;
        ServiceProbe.Script script = probe instanceof ServiceProbe.Script is ? is : NO_COMMAND;
        return new ServiceCheck(
                given.address() == AddressMode.AUTO ? "" : given.address().wire(),
                "",
                script.args().isEmpty() ? null : script.args(),
                http.body(),
                restart == null
                        ? null
                        : new CheckRestart(restart.grace().toNanos(), restart.ignoreWarnings(), restart.limit()),
                script.command(),
                false,
                0,
                0,
                "",
                false,
                orNull(http.headers()),
                "",
                given.interval().toNanos(),
                http.method(),
                given.name(),
                "",
                given.onUpdate().wire(),
                http.path(),
                given.portLabel(),
                http.isSecure() ? HTTPS : "",
                0,
                "",
                http.skipsVerification(),
                given.task(),
                given.timeout().toNanos(),
                type(probe));
    }

    private static String type(ServiceProbe probe) {
        return switch (probe) {
            case ServiceProbe.Tcp _ -> TCP;
            case ServiceProbe.Http _ -> HTTP;
            case ServiceProbe.Script _ -> SCRIPT;
        };
    }
}
