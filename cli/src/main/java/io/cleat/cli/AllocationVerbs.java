package io.cleat.cli;

import io.cleat.api.AllocCheck;
import io.cleat.api.AllocStats;
import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolume;
import io.cleat.api.Params;
import io.cleat.api.TaskState;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeRequest;
import io.cleat.base.LinkTrouble;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What can be asked about allocations, and done to them. */
final class AllocationVerbs {
    private AllocationVerbs() {}

    static List<Verb> all() {
        return Stream.of(own(), TaskVerbs.all()).flatMap(List::stream).toList();
    }

    private static List<Verb> own() {
        return List.of(
                Verb.named("alloc status", "List allocations, or show one")
                        .takes(0, 1, "[allocation]")
                        .about("Without an argument lists allocations; with an id, or the beginning of"
                                + " one, shows that allocation, its tasks, volumes and last"
                                + " events.")
                        .flags(Flag.SHORT, Flag.VERBOSE, Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat alloc status", "cleat alloc status -verbose 2849ded8")
                        .does(AllocationVerbs::status),
                AllocationLogs.VERB,
                AllocationFs.VERB,
                AllocationExec.VERB,
                Verb.named("alloc checks", "Show the checks of an allocation's services")
                        .takes(1, 1, "<allocation>")
                        .about("Shows how the checks of an allocation's services are, as its node"
                                + " has made them last. Whether the allocation is healthy,"
                                + " alloc status says.")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat alloc checks 2849ded8")
                        .does(AllocationVerbs::checks),
                Verb.named("alloc stop", "Stop an allocation and reschedule it")
                        .takes(1, 1, "<allocation>")
                        .about("Stops an allocation. Its job is evaluated, which places a replacement unless the job "
                                + "was stopped.")
                        .flags(
                                Flag.DETACH,
                                Flag.yes("no-shutdown-delay", "Stop the tasks without their shutdown delay."),
                                Flag.VERBOSE)
                        .examples("cleat alloc stop 2849ded8")
                        .does(AllocationVerbs::stop));
    }

    private static int checks(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        CleatClient client = call.client();
        Map<String, AllocCheck> checks = client.allocations().checks(find(client, call.argument(0)));
        if (!call.machine(checks)) {
            call.out(checks.isEmpty() ? "No checks" : ChecksView.text(checks.values(), call.zone()));
        }
        return 0;
    }

    private static int status(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        CleatClient client = call.client();
        if (call.argument().isEmpty()) {
            List<AllocationStub> all = client.allocations().list(Params.none()).body();
            if (!call.machine(all)) {
                call.out(AllocationsView.table(all, call.isVerbose(), call.now()));
            }
            return 0;
        }
        Allocation one = client.allocations()
                .get(find(client, call.argument(0)), Params.none())
                .body();
        if (call.machine(one)) {
            return 0;
        }
        call.out(AllocationView.summary(one, call.isVerbose(), call.now()));
        String waiting = Waits.ofClaims(call, one);
        if (!waiting.isEmpty()) {
            call.section("Waiting", waiting);
        }
        if (call.flags().has(Flag.SHORT)) {
            return 0;
        }
        String addresses = AllocationView.addresses(one);
        if (!addresses.isEmpty()) {
            call.out("\n" + addresses);
        }
        AllocStats stats = stats(call, client, one);
        for (Map.Entry<String, TaskState> task :
                new TreeMap<>(one.TaskStates() == null ? Map.of() : one.TaskStates()).entrySet()) {
            String name = task.getKey();
            call.out("\n" + AllocationView.task(name, task.getValue(), one, stats));
            String ofHost = AllocationView.volumes(one, name, "host");
            if (!ofHost.isEmpty()) {
                call.out("\nHost Volumes:\n" + ofHost);
            }
            String volumes =
                    call.isVerbose() ? verboseVolumes(call, one, name) : AllocationView.volumes(one, name, "csi");
            if (!volumes.isEmpty()) {
                call.out("\nCSI Volumes:\n" + volumes);
            }
            call.out("\n" + AllocationView.events(task.getValue(), call.zone()));
        }
        if (call.isVerbose()) {
            String placement = AllocationView.placement(one, true);
            if (!placement.isEmpty()) {
                call.out("\n" + placement);
            }
        }
        return 0;
    }

    /** What the tasks use; null unless they run and the node says. */
    private static @Nullable AllocStats stats(Call call, CleatClient client, Allocation one) {
        if (!one.ClientStatus().equals("running")) {
            return null;
        }
        try {
            return client.allocations().stats(one.ID(), Params.none());
        } catch (UnexpectedAnswer | LinkTrouble away) {
            call.say("what the tasks use is not known: " + away.getMessage());
            return null;
        }
    }

    private static String verboseVolumes(Call call, Allocation one, String task)
            throws Failure, UnexpectedAnswer, LinkTrouble {
        Columns columns = new Columns("Name", "ID", "Plugin", "Provider", "Schedulable", "Read Only");
        for (Map.Entry<String, VolumeRequest> mounted :
                AllocationView.mounted(one, task, "csi").entrySet()) {
            VolumeRequest request = mounted.getValue();
            String id = AllocationView.volumeId(one, request);
            CsiVolume volume = call.clientIn(one.Namespace())
                    .volumes()
                    .get(id, Params.none())
                    .body();
            columns.row(
                    mounted.getKey(),
                    volume.ID(),
                    volume.PluginID(),
                    volume.Provider(),
                    Boolean.toString(volume.Schedulable()),
                    Boolean.toString(request.ReadOnly()));
        }
        return columns.isEmpty() ? "" : columns.text();
    }

    private static int stop(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        CleatClient client = call.client();
        String id = find(client, call.argument(0));
        String evaluation = client.allocations()
                .stop(id, call.flags().has("no-shutdown-delay"), Params.none())
                .body()
                .EvalID();
        if (call.flags().has(Flag.DETACH)) {
            call.out(evaluation);
            return 0;
        }
        return new Monitor(call, client).watch(evaluation);
    }

    /** The id of the one allocation that {@code given} means. */
    static String find(CleatClient client, String given) throws Failure, UnexpectedAnswer, LinkTrouble {
        if (Prefix.isWholeUuid(given)) {
            return given;
        }
        return Prefix.one(
                        "allocation",
                        given,
                        client.allocations()
                                .list(Params.none().prefix(Prefix.ofUuid(given)))
                                .body(),
                        AllocationStub::ID,
                        AllocationVerbs::candidates)
                .ID();
    }

    private static String candidates(List<AllocationStub> found) {
        Columns columns = new Columns("ID", "Name", "Node ID", "Desired", "Status");
        found.forEach(one -> columns.row(one.ID(), one.Name(), one.NodeID(), one.DesiredStatus(), one.ClientStatus()));
        return columns.text();
    }
}
