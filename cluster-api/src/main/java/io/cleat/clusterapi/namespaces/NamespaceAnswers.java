package io.cleat.clusterapi.namespaces;

import io.cleat.api.Answer;
import io.cleat.api.Namespace;
import io.cleat.api.NamespaceCapabilities;
import io.cleat.api.NamespaceValidation;
import io.cleat.api.Rows;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Sha256;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.NamespaceRow;
import io.cleat.state.Namespaces;
import io.cleat.state.TableName;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Namespaces over the server. */
public final class NamespaceAnswers {
    private static final String DEFAULT_WORDS = "Default shared namespace";

    private static final Versions VERSION =
            new Versions(Set.of(TableName.NAMESPACES), state -> Math.max(1, state.version(TableName.NAMESPACES)));

    private final Readings readings;
    private final Requests requests;

    public NamespaceAnswers(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /** By name, which is their token. */
    public Answer<Rows<Namespace>> list(ListQuery query) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        List<Namespace> all = Namespaces.all(reading.state()).stream()
                .map(NamespaceAnswers::shown)
                .filter(each -> each.Name().startsWith(query.prefix()))
                .toList();
        return query.page(
                (query.reverse() ? all.reversed() : all)::stream,
                Namespace::Name,
                each -> each,
                each -> each,
                reading.meta());
    }

    public Answer<Optional<Namespace>> get(ReadQuery query, String name) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        return new Answer<>(Namespaces.find(reading.state(), name).map(NamespaceAnswers::shown), reading.meta());
    }

    /** Makes a namespace, or says something else of one. */
    public void apply(WriteQuery query, Namespace wanted) throws Refused, Trouble, InterruptedException {
        List<String> faults = NamespaceValidation.faults(wanted);
        if (!faults.isEmpty()) {
            throw new Refused(new Refusal.Invalid(faults));
        }
        NamespaceCapabilities capabilities =
                Objects.requireNonNullElse(wanted.Capabilities(), new NamespaceCapabilities(null, null, null, null));
        requests.namespaces()
                .register(
                        new NamespaceRow(
                                wanted.Name(),
                                wanted.Description(),
                                Objects.requireNonNullElse(wanted.Meta(), Map.of()),
                                Objects.requireNonNullElse(capabilities.EnabledTaskDrivers(), List.of()),
                                Objects.requireNonNullElse(capabilities.DisabledTaskDrivers(), List.of()),
                                0,
                                0),
                        requests.asked(query.requestId()));
    }

    /** Forgets a namespace that nothing is in. */
    public void delete(WriteQuery query, String name) throws Refused, Trouble, InterruptedException {
        requests.namespaces().deregister(name, requests.asked(query.requestId()));
    }

    private static Namespace shown(NamespaceRow row) {
        boolean isUndescribed = row.modifyVersion() == 0;
        String description =
                isUndescribed && row.name().equals(NamespaceRow.DEFAULT) ? DEFAULT_WORDS : row.description();
        return new Namespace(
                capabilities(row),
                null,
                Math.max(1, row.createVersion()),
                description,
                hash(row, description),
                row.meta().isEmpty() ? null : new TreeMap<>(row.meta()),
                Math.max(1, row.modifyVersion()),
                row.name(),
                null,
                null,
                "",
                null,
                null);
    }

    private static @Nullable NamespaceCapabilities capabilities(NamespaceRow row) {
        return row.enabledDrivers().isEmpty() && row.disabledDrivers().isEmpty()
                ? null
                : new NamespaceCapabilities(row.enabledDrivers(), row.disabledDrivers(), null, null);
    }

    private static String hash(NamespaceRow row, String description) {
        String said = row.name()
                + description
                + (row.meta().isEmpty() ? "" : new TreeMap<>(row.meta()))
                + String.join(",", row.enabledDrivers())
                + String.join(",", row.disabledDrivers());
        return Base64.getEncoder().encodeToString(Sha256.of(said));
    }
}
