package io.cleat.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.kernel.Processes;
import io.cleat.testkit.ShimProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks at real processes, directories and groups of this machine. */
class LooksTest {
    @TempDir
    Path directory;

    @Test
    void aTaskIsFoundByItsEnvironment() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", "while :; do sleep 1; done");
        builder.environment().put("NOMAD_ALLOC_ID", "a-" + directory.getFileName());
        builder.environment().put("NOMAD_TASK_NAME", "count");
        builder.environment().put("CLEAT_VOLUME_data", "/mnt/x");
        Process process = builder.start();
        try {
            OurProcess found = OurProcess.ofTask("a-" + directory.getFileName(), "count");
            assertEquals(process.pid(), found.identity().pid());
            assertEquals("/mnt/x", found.variable("CLEAT_VOLUME_data"));
            assertTrue(found.isAlive());
            assertThrows(CheckFailed.class, () -> found.variable("CLEAT_VOLUME_other"));
            assertTrue(OurProcess.naming("a-" + directory.getFileName()).contains(found));
            AgentProcess.signal(found.identity(), Processes.SIGKILL);
            process.waitFor();
            assertFalse(found.isAlive());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void anAbsentTaskIsSaid() {
        assertThrows(CheckFailed.class, () -> OurProcess.ofTask("no such allocation", "count"));
    }

    @Test
    void directoriesAreFoundByIds() throws Exception {
        Files.createDirectories(directory.resolve("data/alloc/1f2e"));
        Files.createDirectories(directory.resolve("data/shims/1f2e.count.0"));
        Traces traces = new Traces();
        assertEquals(List.of(), traces.directories(directory));
        traces.add(List.of("1f2e"));
        assertEquals(2, traces.directories(directory).size());
    }

    @Test
    void networksAreFoundByIds() throws Exception {
        Path addresses = Files.createDirectories(directory.resolve("var/lib/cni/networks/cleat"));
        Files.writeString(addresses.resolve("10.0.0.2"), "cleat-1f2e-7\r\neth0");
        Files.writeString(addresses.resolve("10.0.0.3"), "cleat-1f2f-7\r\neth0");
        Files.createDirectories(directory.resolve("run/netns"));
        Files.createFile(directory.resolve("run/netns/cleat-1f2e-7"));
        Traces traces = new Traces();
        OurNetworks networks = new OurNetworks(directory);
        assertEquals(List.of(), networks.of(traces));
        traces.add(List.of("1f2e-7"));
        assertEquals(
                List.of(
                        directory.resolve("run/netns/cleat-1f2e-7").toString(),
                        addresses.resolve("10.0.0.2").toString()),
                networks.of(traces));
    }

    @Test
    void nothingIsLeftOfAnEmptyWorkplace() throws Exception {
        Path root = Files.createDirectory(directory.resolve("work")).toRealPath();
        Files.createDirectories(root.resolve("data/log"));
        Files.createSymbolicLink(root.resolve("data/link"), directory);
        Workplace workplace = new Workplace(root, ShimProgram.built());
        Leftovers leftovers = new Leftovers(workplace, Optional.empty(), new Traces());
        assertEquals(List.of(), leftovers.mounts());
        assertEquals(List.of(), leftovers.loops());
        assertEquals(List.of(), leftovers.processes());
        assertEquals(List.of(), leftovers.sockets());
        assertEquals(List.of(), leftovers.cgroups());
        workplace.remove();
        assertFalse(Files.exists(root));
        assertTrue(Files.exists(directory), "a link is not followed");
    }

    @Test
    void aSocketIsALeftover() throws Exception {
        try (var server = java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            server.bind(java.net.UnixDomainSocketAddress.of(directory.resolve("a.sock")));
            Leftovers leftovers = new Leftovers(
                    new Workplace(directory.toRealPath(), Path.of("shim")), Optional.empty(), new Traces());
            assertEquals(2, leftovers.sockets().size(), leftovers.sockets().toString());
        }
    }

    @Test
    void anOptionIsReadFromATasksArguments() throws Exception {
        assertEquals("/p", StartPlugin.option(List.of("x", "--pool", "/p"), "--pool"));
        assertEquals("/p", StartPlugin.option(List.of("x", "--pool=/p"), "--pool"));
        assertThrows(CheckFailed.class, () -> StartPlugin.option(List.of("--pool"), "--pool"));
    }
}
