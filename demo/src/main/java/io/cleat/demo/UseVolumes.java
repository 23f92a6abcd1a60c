package io.cleat.demo;

import io.cleat.api.AllocationStub;
import io.cleat.jobspec.hcl.Variables;
import io.cleat.kernel.Mount;
import java.util.ArrayList;
import java.util.List;

/** Step 4: jobs claim the volumes and work on them; one of two sharers stops. */
final class UseVolumes {
    static final String COUNTER = "counter";
    static final String COUNTER_TASK = "count";
    static final String SHARED = "shared";
    private static final String SHARED_TASK = "write";

    private final DemoContext context;
    private final StartPlugin.Seen plugin;
    private final MakeVolumes.Made volumes;

    /**
     * What goes on when the step ends.
     *
     * @param counter the allocation that counts
     * @param sharer the one that shares no more
     * @param calls how many calls the plugin has answered
     * @param mounts all mounts below the workplace
     */
    record Working(Workload counter, Workload sharer, int calls, List<Mount> mounts) {}

    UseVolumes(DemoContext context, StartPlugin.Seen plugin, MakeVolumes.Made volumes) {
        this.context = context;
        this.plugin = plugin;
        this.volumes = volumes;
    }

    Working play() throws CheckFailed, InterruptedException {
        context.tell().step("A job counts in the ext4 volume; two allocations share the directory");
        Workload counter = count();
        List<Workload> sharers = share();
        Workload sharer = stopOne(sharers);
        int calls = plugin.calls().calls().size();
        return new Working(
                counter, sharer, calls, OurMounts.below(context.workplace().root()));
    }

    private Workload count() throws CheckFailed, InterruptedException {
        context.cluster().register(context.job(COUNTER, Variables.none()));
        AllocationStub allocation = running(COUNTER, 1).getFirst();
        Workload counter = Workload.look(allocation.ID(), COUNTER_TASK);
        isLoopMounted(counter, volumes);
        context.tell()
                .verified(
                        COUNTER + " runs",
                        "allocation "
                                + Cluster.brief(counter.allocId())
                                + ", "
                                + counter.process().brief());
        context.isolated(counter.process());
        context.tell()
                .verified("mount table", "ext4 on " + counter.mount().source() + ", whose file is the volume's image");
        CheckFailed.unless(
                context.cluster().volume(MakeVolumes.COUNTER).WriteAllocs().containsKey(counter.allocId()),
                "volume " + MakeVolumes.COUNTER,
                "claimed for writing by allocation " + Cluster.brief(counter.allocId()),
                "another claim");
        Numbers numbers = context.polling().until("it counts to 3", () -> counter.reaching(DemoContext.NUMBERS, 3));
        numbers.unbroken("the file in the volume", 1, 3);
        context.polling().until("its output is in alloc logs", () -> {
            printed(context, counter.allocId()).unbroken("alloc logs", 1, 3);
            return true;
        });
        context.tell().verified("it counts", "1, 2, 3 in the volume's file, and in alloc logs");
        plugin.calls().exactly(1, "ControllerPublishVolume", volumes.counter());
        plugin.calls().exactly(1, "NodeStageVolume", volumes.counter());
        plugin.calls().exactly(1, "NodePublishVolume", volumes.counter());
        context.tell().verified("call log", MakeVolumes.COUNTER + ": attached, staged, published once");
        return counter;
    }

    /** Fails unless the workload's mount is the image, over a loop device. */
    static void isLoopMounted(Workload workload, MakeVolumes.Made volumes) throws CheckFailed {
        Mount mount = workload.mount();
        CheckFailed.unless(
                mount.fsType().equals("ext4") && !mount.isReadOnly(),
                mount.target(),
                "ext4, writable",
                mount.fsType() + " " + mount.options());
        String device = mount.source().substring(mount.source().lastIndexOf('/') + 1);
        String file = OurMounts.loops().getOrDefault(device, "no file");
        CheckFailed.unless(
                file.equals(volumes.image().toString()),
                "the file behind " + mount.source(),
                volumes.image().toString(),
                file);
    }

    private List<Workload> share() throws CheckFailed, InterruptedException {
        context.cluster().register(context.job(SHARED, Variables.none()));
        List<Workload> sharers = new ArrayList<>();
        for (AllocationStub one : running(SHARED, 2)) {
            sharers.add(Workload.look(one.ID(), SHARED_TASK));
        }
        Workload first = sharers.getFirst();
        Workload second = sharers.getLast();
        CheckFailed.unless(
                first.mount().id() != second.mount().id()
                        && first.mount().device().equals(second.mount().device())
                        && first.mount().root().equals(second.mount().root()),
                "the mounts of the two allocations",
                "two mounts of one directory",
                first.mount() + " and " + second.mount());
        context.polling().until("each sees what the other writes", () -> seesOther(first, second));
        context.tell()
                .verified(
                        "two sharers",
                        "allocations "
                                + Cluster.brief(first.allocId())
                                + " and "
                                + Cluster.brief(second.allocId())
                                + ", each sees the other's file grow");
        plugin.calls().exactly(1, "NodeStageVolume", volumes.shared());
        plugin.calls().exactly(2, "NodePublishVolume", volumes.shared());
        context.tell().verified("call log", MakeVolumes.SHARED + ": staged once, published twice");
        return sharers;
    }

    private static boolean seesOther(Workload first, Workload second) throws CheckFailed {
        first.reaching(second.allocId(), 2);
        second.reaching(first.allocId(), 2);
        return true;
    }

    private Workload stopOne(List<Workload> sharers) throws CheckFailed, InterruptedException {
        context.cluster().register(context.job(SHARED, Variables.none().withFlag("count", "1")));
        String left = running(SHARED, 1).getFirst().ID();
        Workload stays = one(sharers, left, true);
        Workload goes = one(sharers, left, false);
        context.polling().until("the other one has ended and is unmounted", () -> {
            context.cluster().ended(goes.allocId());
            return isUnmounted(goes.allocId());
        });
        plugin.calls().exactly(1, "NodeUnpublishVolume", volumes.shared());
        plugin.calls().exactly(0, "NodeUnstageVolume", volumes.shared());
        stays.isUntouched();
        long at = stays.numbers(stays.allocId()).last();
        context.polling().until("it goes on writing", () -> stays.reaching(stays.allocId(), at + 2));
        context.tell()
                .verified(
                        "one stops",
                        Cluster.brief(goes.allocId())
                                + " is unmounted; the mount of "
                                + Cluster.brief(stays.allocId())
                                + " stays, and it goes on writing");
        context.tell().verified("call log", MakeVolumes.SHARED + ": unpublished once, not unstaged");
        return stays;
    }

    private Workload one(List<Workload> sharers, String allocId, boolean same) throws CheckFailed {
        return sharers.stream()
                .filter(sharer -> sharer.allocId().equals(allocId) == same)
                .findFirst()
                .orElseThrow(
                        () -> new CheckFailed("the allocation that stays", "one of the two", "a new one, " + allocId));
    }

    private boolean isUnmounted(String allocId) throws CheckFailed {
        for (Mount mount : OurMounts.below(context.workplace().root())) {
            CheckFailed.unless(
                    !mount.target().contains(allocId),
                    "mounts of allocation " + Cluster.brief(allocId),
                    "none",
                    mount.target());
        }
        return true;
    }

    private List<AllocationStub> running(String job, int count) throws CheckFailed, InterruptedException {
        return context.polling()
                .until(
                        (count == 1 ? "an allocation" : count + " allocations") + " of job " + job + " run",
                        () -> context.cluster().running(job, count));
    }

    /** The numbers that a counting allocation has printed. */
    static Numbers printed(DemoContext context, String allocId) throws CheckFailed {
        return Numbers.in(
                "alloc logs " + Cluster.brief(allocId), context.cluster().printed(allocId, COUNTER_TASK));
    }
}
