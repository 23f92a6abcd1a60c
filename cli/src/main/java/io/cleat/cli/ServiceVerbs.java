package io.cleat.cli;

import io.cleat.api.Answer;
import io.cleat.api.NamespaceServices;
import io.cleat.api.Params;
import io.cleat.api.ServiceRegistration;
import io.cleat.api.ServiceStub;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.ArrayList;
import java.util.List;

/** What allocations serve: listed, shown, taken out. */
final class ServiceVerbs {
    private static final String NONE = "No service registrations found";
    private static final Flag PER_PAGE = Flag.value("per-page", "count", "Print at most so many.");
    private static final Flag PAGE_TOKEN = Flag.value("page-token", "token", "Begin where the last page ended.");
    private static final Flag FILTER = Flag.value("filter", "expression", "Print only those that satisfy it.");

    private ServiceVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("service list", "List services")
                        .about("Lists the names of the services that allocations have, with their"
                                + " tags. -namespace=* lists those of all namespaces.")
                        .flags(PER_PAGE, PAGE_TOKEN, FILTER, Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat service list", "cleat service list -namespace=*")
                        .does(ServiceVerbs::list),
                Verb.named("service info", "Show where a service is found")
                        .takes(1, 1, "<service>")
                        .flags(PER_PAGE, PAGE_TOKEN, FILTER, Flag.JSON, Flag.TEMPLATE, Flag.VERBOSE)
                        .examples("cleat service info web", "cleat service info -filter='\"blue\" in Tags' web")
                        .does(ServiceVerbs::info),
                Verb.named("service delete", "Take one place of a service out")
                        .takes(2, 2, "<service> <registration>")
                        .about("Takes one place of a service out, so that nobody finds it, until its"
                                + " allocation runs by another version of its job. The"
                                + " allocation goes on. Registrations come and go with"
                                + " allocations: this is for those that should not be"
                                + " found any more. Their ids: service info -verbose.")
                        .examples("cleat service delete web "
                                + "_nomad-task-2849ded8-c520-74d0-6e49-2a300b1810ee-group-front-web-http")
                        .does(ServiceVerbs::delete));
    }

    private static Params params(Call call) throws Failure {
        return Params.none()
                .filter(call.flags().value("filter").orElse(""))
                .page(
                        call.flags().number("per-page", 1, 1_000_000, 0),
                        call.flags().value("page-token").orElse(""));
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        Answer<List<NamespaceServices>> answer = call.client().services().list(params(call));
        if (call.machine(answer.body())) {
            return 0;
        }
        boolean all = call.connection().namespace().equals("*");
        Columns columns = all ? new Columns("Service Name", "Namespace", "Tags") : new Columns("Service Name", "Tags");
        for (NamespaceServices space : answer.body()) {
            for (ServiceStub one : space.Services()) {
                if (all) {
                    columns.row(one.ServiceName(), space.Namespace(), tags(one.Tags()));
                } else {
                    columns.row(one.ServiceName(), tags(one.Tags()));
                }
            }
        }
        call.out(columns.isEmpty() ? NONE : columns.text());
        sayNext(call, answer);
        return 0;
    }

    private static int info(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        Answer<List<ServiceRegistration>> answer = call.client().services().get(call.argument(0), params(call));
        if (call.machine(answer.body())) {
            return 0;
        }
        if (answer.body().isEmpty()) {
            call.out(NONE);
        } else if (call.isVerbose()) {
            call.out(whole(answer.body()));
        } else {
            Columns columns = new Columns("Job ID", "Address", "Tags", "Node ID", "Alloc ID");
            for (ServiceRegistration one : answer.body()) {
                columns.row(
                        one.JobID(),
                        address(one),
                        tags(one.Tags()),
                        Human.id(one.NodeID(), false),
                        Human.id(one.AllocID(), false));
            }
            call.out(columns.text());
        }
        sayNext(call, answer);
        return 0;
    }

    private static String whole(List<ServiceRegistration> all) {
        List<String> parts = new ArrayList<>();
        for (ServiceRegistration one : all) {
            parts.add(new Rows()
                    .put("ID", one.ID())
                    .put("Service Name", one.ServiceName())
                    .put("Namespace", one.Namespace())
                    .put("Job ID", one.JobID())
                    .put("Alloc ID", one.AllocID())
                    .put("Node ID", one.NodeID())
                    .put("Datacenter", one.Datacenter())
                    .put("Address", address(one))
                    .put("Tags", tags(one.Tags()))
                    .text());
        }
        return String.join("\n\n", parts);
    }

    private static int delete(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        call.client().services().delete(call.argument(0), call.argument(1), Params.none());
        call.out("Successfully deleted service registration");
        return 0;
    }

    private static void sayNext(Call call, Answer<?> answer) {
        if (!answer.meta().nextToken().isEmpty()) {
            call.say("Next page token: " + answer.meta().nextToken());
        }
    }

    private static String address(ServiceRegistration one) {
        if (one.Port() == 0) {
            return one.Address();
        }
        return (one.Address().contains(":") ? "[" + one.Address() + "]" : one.Address()) + ":" + one.Port();
    }

    private static String tags(List<String> tags) {
        return "[" + String.join(",", tags) + "]";
    }
}
