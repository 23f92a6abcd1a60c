package io.cleat.launch.demo;

import java.nio.file.Path;
import java.util.List;

/** The nine steps, each handing on what it saw. */
record Story(Scene scene, Traces traces) {
    /**
     * Plays all steps.
     *
     * @param keeps whether to leave out the last, which takes everything away
     */
    void tell(boolean keeps) throws CheckFailed, InterruptedException {
        String node = new StartAgent(scene).play();
        StartPlugin.Seen plugin = new StartPlugin(scene).play();
        MakeVolumes.Made volumes = new MakeVolumes(scene, plugin).play();
        UseVolumes.Working working = new UseVolumes(scene, plugin, volumes).play();
        traces.add(List.of(plugin.allocId(), volumes.counter(), volumes.shared()));
        traces.addGroupsOf(OurProcess.naming(scene.workplace().root().toString()));
        KillAgent.Outage outage = new KillAgent(scene, plugin, working).play();
        new RestartAgent(scene, plugin, working, outage, node).play();
        new WantTheSame(scene, working.counter()).play();
        new HandOver(scene, plugin, volumes, working.counter()).play();
        if (!keeps) {
            new LeaveNothing(scene, traces).play(plugin, volumes);
        }
    }

    /** What to try with the agent that was left up, and how to take everything away. */
    static String next(Path launcher, Scene scene) {
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
          %1$s job stop -purge -yes counter
          %1$s job stop -purge -yes second-writer
          %1$s job stop -purge -yes shared
          %1$s volume delete counter-data
          %1$s volume delete shared-data
          %1$s job stop -purge -yes local-plugin
          until [ -z "$(ls %5$s/data/alloc)" ]; do %1$s system gc; sleep 1; done
          kill %4$d; tail --pid=%4$d -f /dev/null
          rm -r --one-file-system %5$s
        """
                .formatted(
                        launcher,
                        scene.cluster().address(),
                        scene.workplace().log(),
                        scene.agent().pid(),
                        scene.workplace().root());
    }
}
