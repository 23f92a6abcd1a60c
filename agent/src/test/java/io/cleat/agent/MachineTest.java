package io.cleat.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The machine that the tests run on. */
final class MachineTest {
    @TempDir
    Path data;

    /** Those that job files of other people constrain and show. */
    @Test
    void itSaysWhatJobFilesAskFor() throws Exception {
        Machine machine = Machine.look(data);
        Map<String, String> said = machine.attributes();
        for (String name : List.of(
                "kernel.name",
                "kernel.version",
                "kernel.arch",
                "cpu.arch",
                "cpu.numcores",
                "cpu.frequency",
                "cpu.totalcompute",
                "cpu.usablecompute",
                "memory.totalbytes",
                "os.signals",
                "os.cgroups.version",
                "unique.hostname",
                "unique.storage.volume",
                "unique.storage.bytestotal",
                "unique.storage.bytesfree")) {
            assertFalse(said.getOrDefault(name, "").isBlank(), name);
        }
        assertEquals(machine.total().cpuMhz(), Long.parseLong(said.getOrDefault("cpu.totalcompute", "")));
        assertTrue(said.getOrDefault("os.cgroups.version", "").matches("[12]"));
    }

    @Test
    void itsCoresAreThoseThatItMayUse_whole() {
        String status = "Name:\tcleat\nCpus_allowed_list:\t0-2,5\nMems_allowed:\t1\n";
        assertEquals(List.of(0, 1, 2, 5), Machine.cores(status, 4));
        assertEquals(List.of(), Machine.cores(status, 2), "half of each is no core");
        assertEquals(List.of(), Machine.cores("", 1));
        assertEquals(List.of(7), Machine.cores("Cpus_allowed_list:\t7\n", 1));
    }

    /** A machine without a network has none. */
    @Test
    void itsAddressIsOneOfItsOwnThatOthersSee() throws Exception {
        String address = Machine.look(data).attributes().get("unique.network.ip-address");
        if (address != null) {
            InetAddress own = InetAddress.getByName(address);
            assertFalse(own.isLoopbackAddress());
            assertTrue(NetworkInterface.getByInetAddress(own) != null, address);
        }
    }
}
