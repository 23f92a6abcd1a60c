package io.cleat.demo;

import io.cleat.api.AllocationStub;
import java.util.List;

/** Step 8: the first job stops, and the second takes over by itself. */
final class HandOver {
    private final Scene scene;
    private final StartPlugin.Seen plugin;
    private final MakeVolumes.Made volumes;
    private final Workload first;

    HandOver(Scene scene, StartPlugin.Seen plugin, MakeVolumes.Made volumes, Workload first) {
        this.scene = scene;
        this.plugin = plugin;
        this.volumes = volumes;
        this.first = first;
    }

    /** Returns the second workload. */
    Workload play() throws CheckFailed, InterruptedException {
        scene.tell().step("The first job stops; the second takes the volume over and counts on");
        int calls = plugin.calls().calls().size();
        scene.cluster().stop(UseVolumes.COUNTER, false);
        scene.polling().until("the first job has ended", () -> {
            scene.cluster().ended(first.allocId());
            CheckFailed.unless(
                    !first.process().isAlive(), "the process " + first.process().brief(), "gone", "it lives");
            return true;
        });
        long last = UseVolumes.printed(scene, first.allocId()).last();
        scene.tell().verified("first job", "ended, its last number is " + last);
        AllocationStub allocation = scene.polling()
                .until(
                        "the second job is placed by itself",
                        () -> scene.cluster().running(WantTheSame.SECOND, 1))
                .getFirst();
        Workload second = Workload.look(allocation.ID(), UseVolumes.COUNTER_TASK);
        UseVolumes.isLoopMounted(second, volumes);
        scene.tell()
                .verified(
                        "second job",
                        "allocation " + Cluster.brief(second.allocId()) + " runs, with the same image mounted");
        Numbers numbers = scene.polling().until("it counts", () -> second.reaching(Scene.NUMBERS, last + 3));
        numbers.unbroken("the file in the volume", 1, last + 3);
        Numbers printed = scene.polling().until("its output is in alloc logs", () -> {
            Numbers all = UseVolumes.printed(scene, second.allocId());
            all.unbroken("alloc logs", last + 1, last + 2);
            return all;
        });
        scene.tell()
                .verified(
                        "it goes on",
                        "its first number is "
                                + printed.first()
                                + "; the file has 1 to "
                                + numbers.last()
                                + " without a gap");
        releasedFirst(calls);
        scene.tell().verified("call log", "unpublished from the first, then published to the second");
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
