package io.cleat.clusterapi.services;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.NamespaceServices;
import io.cleat.api.Rows;
import io.cleat.api.ServiceRegistration;
import io.cleat.api.ServiceStub;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.model.ServiceChoice;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.Registration;
import io.cleat.state.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Services over the server. They are read from allocations, their jobs' texts and their nodes, so reads wait on these
 * tables.
 */
public final class ServiceAnswers {
    /**
     * So many of the places of a service, the same for the same key as long as these are there.
     *
     * @param count more than 0
     */
    public record Choice(int count, String key) {}

    private static final Versions VERSION =
            Versions.of(TableName.ALLOCATIONS, TableName.JOB_VERSIONS, TableName.DEPLOYMENTS, TableName.NODES);

    private final Readings readings;
    private final Requests requests;

    public ServiceAnswers(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /** A name of a namespace. */
    private record Name(String namespace, String name, List<String> tags) {
        String token() {
            return namespace + "." + name;
        }

        /** What a filter sees. */
        ServiceStub stub() {
            return new ServiceStub(name, tags);
        }
    }

    /** The names of services, by namespace; a page counts names. */
    public Answer<Rows<NamespaceServices>> list(ListQuery query) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        List<Name> names = names(query, reading.state());
        Answer<Rows<Name>> page = query.page(
                (query.reverse() ? names.reversed() : names)::stream,
                Name::token,
                Name::stub,
                name -> name,
                reading.meta());
        Map<String, List<ServiceStub>> byNamespace = new TreeMap<>();
        for (Name name : page.body()) {
            byNamespace
                    .computeIfAbsent(name.namespace(), space -> new ArrayList<>())
                    .add(name.stub());
        }
        List<NamespaceServices> all = new ArrayList<>();
        byNamespace.forEach((space, services) -> all.add(new NamespaceServices(space, services)));
        return new Answer<>(Rows.of(all), page.meta());
    }

    private static List<Name> names(ListQuery query, ClusterState state) {
        Map<String, Name> names = new TreeMap<>();
        for (Registration each : state.registrations().all()) {
            if (query.read().shown().has(each.namespace()) && each.name().startsWith(query.prefix())) {
                names.merge(
                        each.namespace() + "." + each.name(),
                        new Name(each.namespace(), each.name(), each.place().tags()),
                        ServiceAnswers::both);
            }
        }
        return List.copyOf(names.values());
    }

    private static Name both(Name one, Name other) {
        TreeSet<String> tags = new TreeSet<>(one.tags());
        tags.addAll(other.tags());
        return new Name(one.namespace(), one.name(), List.copyOf(tags));
    }

    public Answer<Rows<ServiceRegistration>> get(ListQuery query, String name, Optional<Choice> choice)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        List<Registration> all =
                reading.state().registrations().named(query.read().namespace(), name);
        List<Registration> chosen = choice.map(
                        some -> ServiceChoice.of(all, some.count(), some.key(), Registration::id))
                .orElse(all);
        return query.page(
                (query.reverse() ? chosen.reversed() : chosen)::stream,
                Registration::id,
                ServiceAnswers::shown,
                ServiceAnswers::shown,
                reading.meta());
    }

    /** Takes one place out, until its allocation runs by another version of its job. */
    public AnswerMeta delete(WriteQuery query, String name, String id) throws Refused, Trouble, InterruptedException {
        return AnswerMeta.ofLeader(
                requests.services().withdraw(query.namespace(), name, id, requests.asked(query.requestId())));
    }

    /** Those of a job's allocations; empty if there is no such job. */
    public Answer<Optional<Rows<ServiceRegistration>>> ofJob(ReadQuery query, String jobId)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        return new Answer<>(
                state.job(new JobId(query.namespace(), jobId))
                        .map(job -> rows(state.registrations().ofJob(job.id()))),
                reading.meta());
    }

    /** Those of one allocation; empty if there is none of that id. */
    public Answer<Optional<Rows<ServiceRegistration>>> ofAllocation(ReadQuery query, String allocId)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        return new Answer<>(
                state.allocation(allocId).map(row -> rows(state.registrations().ofAllocation(row))), reading.meta());
    }

    private static Rows<ServiceRegistration> rows(List<Registration> all) {
        return Rows.of(all.stream().map(ServiceAnswers::shown).toList());
    }

    static ServiceRegistration shown(Registration each) {
        return new ServiceRegistration(
                each.place().address(),
                each.allocation().id(),
                each.allocation().createVersion(),
                each.datacenter(),
                each.id(),
                each.allocation().job().id(),
                each.allocation().modifyVersion(),
                each.namespace(),
                each.allocation().nodeId(),
                each.place().port(),
                each.name(),
                each.place().tags());
    }
}
