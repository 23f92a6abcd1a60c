package io.cleat.demo;

import io.cleat.api.AllocationStub;
import java.util.List;

/** Step 8: the first job stops, and the second takes over by itself. */
final class HandOver {
    private final DemoContext context;
    private final StartPlugin.Seen plugin;
    private final MakeVolumes.Made volumes;
    private final Workload first;

    HandOver(DemoContext context, StartPlugin.Seen plugin, MakeVolumes.Made volumes, Workload first) {
        this.context = context;
        this.plugin = plugin;
        this.volumes = volumes;
        this.first = first;
    }

    /** Returns the second workload. */
    Workload play() throws CheckFailed, InterruptedException {
        context.tell().step("The first job stops; the second takes the volume over and counts on");
        int calls = plugin.calls().calls().size();
        context.cluster().stop(UseVolumes.COUNTER, false);
        context.polling().until("the first job has ended", () -> {
            context.cluster().ended(first.allocId());
            CheckFailed.unless(
                    !first.process().isAlive(), "the process " + first.process().brief(), "gone", "it lives");
            return true;
        });
        long last = UseVolumes.printed(context, first.allocId()).last();
        context.tell().verified("first job", "ended, its last number is " + last);
        AllocationStub allocation = context.polling()
                .until(
                        "the second job is placed by itself",
                        () -> context.cluster().running(ContendForVolume.SECOND, 1))
                .getFirst();
        Workload second = Workload.look(allocation.ID(), UseVolumes.COUNTER_TASK);
        UseVolumes.isLoopMounted(second, volumes);
        context.tell()
                .verified(
                        "second job",
                        "allocation " + Cluster.brief(second.allocId()) + " runs, with the same image mounted");
        Numbers numbers = context.polling().until("it counts", () -> second.reaching(DemoContext.NUMBERS, last + 3));
        numbers.unbroken("the file in the volume", 1, last + 3);
        Numbers printed = context.polling().until("its output is in alloc logs", () -> {
            Numbers all = UseVolumes.printed(context, second.allocId());
            all.unbroken("alloc logs", last + 1, last + 2);
            return all;
        });
        context.tell()
                .verified(
                        "it goes on",
                        "its first number is "
                                + printed.first()
                                + "; the file has 1 to "
                                + numbers.last()
                                + " without a gap");
        releasedFirst(calls);
        context.tell().verified("call log", "unpublished from the first, then published to the second");
        return second;
    }

    /** Two writers never: the first was off before the second came. */
    private void releasedFirst(int before) throws CheckFailed {
        List<String> methods = plugin.calls().after(before).stream()
                .filter(call -> call.volume().equals(volumes.counter()) && call.isOk())
                .map(CallLog.Call::method)
                .toList();
        int off = methods.indexOf("NodeUnpublishVolume");
        int on = methods.indexOf("NodePublishVolume");
        CheckFailed.unless(
                off >= 0 && off < on,
                "the plugin's calls for volume " + MakeVolumes.COUNTER,
                "NodeUnpublishVolume before NodePublishVolume",
                methods);
    }
}
