package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A machine for one node: namespaces of mounts, network and processes with a boot id of their own, on directories that
 * all machines share. When its power goes, all its processes die and all its mounts are gone, as when a machine stops;
 * the next boot has another boot id.
 */
final class NodeMachine implements AutoCloseable {
    private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";

    private final Path root;
    private final String name;
    private final Path servers;
    private Optional<Process> power = Optional.empty();
    private Optional<AgentProcess> agent = Optional.empty();

    /**
     * @param root of all that the test has
     * @param servers the data directory of the server
     */
    NodeMachine(Path root, String name, Path servers) {
        this.root = root;
        this.name = name;
        this.servers = servers;
    }

    /**
     * The beginning of a script, run in a mount namespace of its own: takes the mounts of tests beside this one away
     * there. They were copied, and would keep volumes in use that those tests have unmounted.
     *
     * @param root of all that this test has, beside the roots of other tests
     */
    static String withoutOthers(Path root) {
        return "cut -d ' ' -f 5 /proc/self/mountinfo | tac | grep '^"
                + root.getParent()
                + "/' | grep -v '^"
                + root
                + "/' | while read -r at; do umount -l \"$at\" 2>/dev/null; done; ";
    }

    String name() {
        return name;
    }

    /** The agent of the machine as it is now; it starts and dies by itself. */
    AgentProcess agent() {
        return agent.orElseThrow();
    }

    /** Switches it on; no agent is started. */
    void boot() throws IOException {
        Path id = Files.writeString(root.resolve(name + ".boot"), UUID.randomUUID() + "\n");
        Process on = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "--net",
                        "--pid",
                        "--fork",
                        "--mount-proc",
                        "--kill-child",
                        "sh",
                        "-c",
                        // The first process of a machine buries all others.
                        withoutOthers(root)
                                + "ip link set lo up; mount --bind \"$1\" "
                                + BOOT_ID
                                + " && echo on && while :; do sleep 1; done",
                        "sh",
                        id.toString())
                .redirectErrorStream(true)
                .start();
        power = Optional.of(on);
        BufferedReader says = on.inputReader();
        assertEquals("on", says.readLine());
        agent = Optional.of(new AgentProcess(
                root.resolve(name),
                List.of("nsenter", "--target", Long.toString(first()), "--mount", "--net", "--pid"),
                "-client",
                "-node=" + name,
                "-servers=" + servers));
    }

    /** Its first process, as the tests' own machine numbers it. */
    private long first() {
        return power.orElseThrow().children().findFirst().orElseThrow().pid();
    }

    void powerOff() throws InterruptedException {
        Process on = power.orElseThrow();
        on.destroyForcibly();
        assertTrue(on.waitFor(30, TimeUnit.SECONDS));
        power = Optional.empty();
    }

    /** The lines of its mount table whose mount points name {@code text}; none while it is off. */
    List<String> mounts(String text) throws IOException {
        if (power.isEmpty()) {
            return List.of();
        }
        return Files.readAllLines(Path.of("/proc/" + first() + "/mountinfo")).stream()
                .filter(line -> line.split(" ", -1)[4].contains(text))
                .toList();
    }

    /** Which network the machine has, as the kernel names it. */
    String network() throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/" + first() + "/ns/net")).toString();
    }

    @Override
    public void close() {
        agent.ifPresent(AgentProcess::close);
        power.ifPresent(Process::destroyForcibly);
    }

    @Override
    public String toString() {
        return name;
    }
}
