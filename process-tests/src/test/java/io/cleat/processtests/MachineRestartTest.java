package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.CsiVolume;
import io.cleat.api.Params;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The machine goes down and comes up again. Here it is a namespace of mounts and processes, with a boot id of its own:
 * when its first process dies, all others die and all its mounts are gone, as when a machine stops.
 */
@Timeout(240)
class MachineRestartTest {
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";

    @Test
    void whatRanRunsAgainOnItsVolumeAndNothingOfTheOldBootIsBelieved() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start(machine(agent, "boot-1"));
            CsiVolume volume = agent.create(Words.image("disk"));
            agent.register(Words.counting("writer", "disk"));
            agent.running("writer");
            agent.awaits(() -> starts(agent).equals("start\n"), "it has written");

            agent.kill();
            agent.awaits(() -> agent.leavings().processes().isEmpty(), "all processes end");
            // The kernel of a new boot has none of them.
            agent.leavings().detachLoops();
            assertEquals(List.of(), agent.leavings().found());

            agent.start(machine(agent, "boot-2"));
            agent.running("writer");
            agent.awaits(() -> starts(agent).equals("start\nstart\n"), "its data is there");
            assertEquals(
                    1,
                    agent.client()
                            .volumes()
                            .get("disk", Params.none())
                            .body()
                            .WriteAllocs()
                            .size());
            assertEquals(2, count(agent, volume, "NodeStageVolume"), agent::printed);
            assertEquals(2, count(agent, volume, "NodePublishVolume"), agent::printed);

            agent.stop("writer");
            agent.awaits(() -> count(agent, volume, "NodeUnstageVolume") == 1, "it is unstaged");
            agent.delete("disk");
            agent.kill();
            agent.assertNothingRunsOrIsMounted();
        }
    }

    /** The words that start a command as the first process of such a machine. */
    private static String[] machine(AgentRun agent, String name) throws Exception {
        Path id = agent.root().resolve(name);
        Files.writeString(id, UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)) + "\n");
        List<String> words = new ArrayList<>();
        words.addAll(List.of("unshare", "--mount", "--pid", "--fork", "--mount-proc"));
        words.addAll(List.of("--kill-child", "sh", "-c"));
        words.add(NodeMachine.withoutOthers(agent.root()) + "mount --bind '" + id + "' " + BOOT_ID + " && exec \"$@\"");
        words.add("sh");
        return words.toArray(String[]::new);
    }

    /** As the machine sees it: its mounts are not ours. */
    private static String starts(AgentRun agent) throws Exception {
        String alloc = agent.running("writer").ID();
        long process = agent.process(alloc);
        Path inside = Path.of("/proc/" + process + "/root");
        Path data = inside.resolve(agent.data().resolve("alloc").toString().substring(1));
        Path file = data.resolve(alloc + "/t/data/starts");
        return process > 0 && Files.exists(file) ? Files.readString(file) : "";
    }

    private static long count(AgentRun agent, CsiVolume volume, String method) throws Exception {
        return agent.calls(volume.ExternalID()).stream().filter(method::equals).count();
    }
}
