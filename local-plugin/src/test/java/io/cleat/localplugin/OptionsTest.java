package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void theLeastIsASocketAPoolAndANode() throws Exception {
        assertEquals(
                new Options(
                        Path.of("/run/csi.sock"),
                        Path.of("/var/pool"),
                        Role.MONOLITH,
                        Optional.of("n1"),
                        Optional.empty(),
                        false,
                        OptionalLong.empty(),
                        new TreeMap<>(),
                        CsiVersion.NEWEST),
                Options.parse(
                        List.of("--pool", "/var/pool", "--node-id=n1"),
                        Map.of("CSI_ENDPOINT", "unix:///run/csi.sock")));
    }

    @Test
    void eachOptionIsRead() throws Exception {
        assertEquals(
                new Options(
                        Path.of("/a"),
                        Path.of("/p"),
                        Role.NODE,
                        Optional.of("n"),
                        Optional.of(Path.of("/log")),
                        true,
                        OptionalLong.of(1000),
                        new TreeMap<>(Map.of("zone", "a", "example.org/rack", "r-1")),
                        new CsiVersion(12)),
                Options.parse(
                        List.of(
                                "--endpoint=unix:/a",
                                "--pool=/p",
                                "--type=node",
                                "--node-id",
                                "n",
                                "--call-log=/log",
                                "--check-lifecycle",
                                "--csi-version=1.12",
                                "--topology=zone=a,example.org/rack=r-1",
                                "--capacity",
                                "1000"),
                        Map.of("CSI_ENDPOINT", "unix:///other")));
    }

    @Test
    void aControllerIsNoNode() throws Exception {
        for (String node : List.of("--node-id=n1", "--type=controller")) {
            Options options = Options.parse(
                    List.of("--pool=/p", "--type=controller", node), Map.of("CSI_ENDPOINT", "unix:///run/csi.sock"));
            assertEquals(Role.CONTROLLER, options.role());
            assertEquals(Optional.empty(), options.node());
        }
    }

    @Test
    void allFaultsAreNamedAtOnce() {
        Refused refused = assertThrows(
                Refused.class,
                () -> Options.parse(
                        List.of(
                                "--endpoint",
                                "tcp://1.2.3.4:5",
                                "--fast",
                                "--type=both",
                                "--topology=zone",
                                "--csi-version=1.99",
                                "--capacity=0"),
                        Map.of()));
        String said = refused.refusal().message();
        for (String part : List.of(
                "tcp://1.2.3.4:5",
                "--fast",
                "'both'",
                "--capacity",
                "--csi-version is \"1.99\": it is a version of CSI, 1.0 to 1.13",
                "--pool",
                "--node-id")) {
            assertTrue(said.contains(part), () -> part + " is not in: " + said);
        }
    }

    @Test
    void aSocketPathThatTheKernelCannotHoldIsRefused() {
        Refused refused = assertThrows(
                Refused.class,
                () -> Options.parse(
                        List.of("--pool=/p", "--node-id=n"), Map.of("CSI_ENDPOINT", "unix:///" + "x".repeat(108))));
        assertTrue(refused.refusal().message().contains("107 bytes"));
    }
}
