package io.cleat.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** The steps, each handing on what it saw. */
record DemoSteps(DemoContext context, Path launcher, Traces traces) {
    /**
     * Plays all steps.
     *
     * @param isLong whether with all that may happen to a volume later in its life
     * @param keeps whether to leave out the last, which takes everything away
     */
    void tell(boolean isLong, boolean keeps) throws CheckFailed, InterruptedException {
        StartAgent.Started started = new StartAgent(context, launcher).play();
        traces.node(started.node());
        new DemoSteps(context.under(started.driver()), launcher, traces).goOn(started.node(), isLong, keeps);
    }

    private void goOn(String node, boolean isLong, boolean keeps) throws CheckFailed, InterruptedException {
        StartPlugin.Seen plugin = new StartPlugin(context).play();
        traces.add(List.of(plugin.allocId()));
        MakeVolumes.Made volumes = new MakeVolumes(context, plugin).play();
        traces.volume(MakeVolumes.COUNTER, volumes.counter());
        traces.volume(MakeVolumes.SHARED, volumes.shared());
        UseVolumes.Working working = new UseVolumes(context, plugin, volumes).play();
        traces.job(UseVolumes.COUNTER);
        traces.job(UseVolumes.SHARED);
        traces.addGroupsOf(OurProcess.naming(context.workplace().root().toString()));
        KillAgent.Outage outage = new KillAgent(context, plugin, working).play();
        new RestartAgent(context, plugin, working, outage, node).play();
        traces.job(ContendForVolume.SECOND);
        new ContendForVolume(context, working.counter()).play();
        Workload second = new HandOver(context, plugin, volumes, working.counter()).play();
        if (isLong) {
            plugin = goOn(node, plugin, volumes, List.of(second, working.sharer()));
        }
        if (!keeps) {
            new LeaveNothing(context, traces).play(plugin);
        }
    }

    /** What else may happen to volumes; returns the plugin that runs at the end. */
    private StartPlugin.Seen goOn(
            String node, StartPlugin.Seen first, MakeVolumes.Made volumes, List<Workload> workloads)
            throws CheckFailed, InterruptedException {
        UseBlock block = new UseBlock(context, traces, first);
        UseBlock.Working disk = block.play();
        Workload copy = new CopyVolume(context, traces, first, volumes, workloads.getFirst()).play();
        Workload writer = new GrowVolume(context, traces, first).play();
        StartPlugin.Seen second = new UpdatePlugin(context, traces, first, writer).play();
        List<Workload> all = new ArrayList<>(workloads);
        all.add(copy);
        all.add(writer);
        long number = disk.reaching(1);
        StartPlugin.Seen third = new DrainNode(context, traces, second, node, all).play();
        block.goesOn(disk, number);
        return third;
    }

    /** What to try with the agent that was left up, and how to take everything away. */
    String next() {
        return """

        The agent is up. Try:
          export CLEAT_ADDR=%2$s
          %1$s job status
          %1$s volume status counter-data
          %1$s volume why counter-data
          %1$s plugin status local
          %1$s node status
          tail -f %3$s

        To take everything away:
        %6$s%7$s  %1$s job stop -purge -yes local-plugin
          until [ -z "$(ls %5$s/data/alloc)" ]; do %1$s system gc; sleep 1; done
          kill %4$d; tail --pid=%4$d -f /dev/null
        %8$s  rm -r --one-file-system %5$s
        """.formatted(
                launcher,
                context.cluster().address(),
                context.workplace().log(),
                context.agent().pid(),
                context.workplace().root(),
                lines("  " + launcher + " job stop -purge -yes ", traces.jobs(), ""),
                // Each is in use until its last task has ended.
                lines(
                        "  until " + launcher + " volume delete ",
                        traces.volumes().keySet(),
                        "; do sleep 1; done"),
                lines("  ", context.image().map(OurImage::removal).stream().toList(), ""));
    }

    private static String lines(String begin, Collection<String> middles, String end) {
        return middles.stream().map(middle -> begin + middle + end + "\n").collect(Collectors.joining());
    }
}
