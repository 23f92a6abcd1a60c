package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.NetworkSettings;
import io.cleat.agent.network.CniSettings;
import io.cleat.cli.Failure;
import io.cleat.driver.docker.DockerSettings;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.driver.shim.IdRange;
import io.cleat.http.Listener;
import io.cleat.image.StoreSettings;
import io.cleat.model.HostNetwork;
import io.cleat.model.HostVolume;
import io.cleat.model.PortRange;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentRoleTest {
    private static Arrangement agent(String... args) throws Exception {
        return AgentRole.arrangement(AgentRole.PROGRAM.read(List.of(args)));
    }

    private static Failure refused(String... args) {
        return assertThrows(Failure.class, () -> agent(args));
    }

    private static Optional<Duration> drain(String... args) throws Failure {
        return AgentRole.drain(AgentRole.PROGRAM.read(List.of(args)));
    }

    private static Listener.Tcp dev(String... args) throws Failure {
        return Listening.read(DevRole.PROGRAM.read(List.of(args)))
                .refuseOthers()
                .tcp();
    }

    @Test
    void itIsBothUnlessToldOtherwise() throws Exception {
        assertEquals(new Arrangement.Parts.WithServer(true, true), agent().parts());
        assertEquals(
                new Arrangement.Parts.WithServer(true, true),
                agent("-server", "-client").parts());
        assertEquals(
                new Arrangement.Parts.WithServer(false, true), agent("-server").parts());
        assertEquals(
                new Arrangement.Parts.NodeOnly(Path.of("/var/lib/cleat")),
                agent("-client", "-servers=/var/lib/cleat").parts());
    }

    @Test
    void aNodeAloneNeedsAServerOfThisMachine() {
        assertTrue(String.valueOf(refused("-client").next()).contains("-servers=/var/lib/cleat"));
        assertTrue(refused("-client", "-servers=10.0.0.1:4647").reason().contains("10.0.0.1"));
        assertTrue(refused("-server", "-servers=/a").reason().contains("without a server"));
    }

    @Test
    void aHostVolumeHasANameAndAPlainPath() {
        for (String given : List.of("data", ":/srv", "data:srv", "data:/", "data:/srv/../etc")) {
            Failure refused = refused("-host-volume=" + given);
            assertTrue(refused.reason().contains("-host-volume=" + given), refused.reason());
        }
        assertTrue(refused("-host-volume-plugin-dir=plugins").reason().contains("=plugins: the path"));
        assertTrue(refused("-host-volume=a:/x", "-host-volume=a:/y").reason().contains("two host"));
    }

    @Test
    void aHostNetworkHasANameAndARangeOrAnInterface() {
        for (String given : List.of("a", "a=", "=eth0", "default=eth0", "a=10.0.0.0/99", "a=x=y")) {
            Failure refused = refused("-host-network=" + given);
            assertTrue(refused.reason().contains("-host-network"), refused.reason());
        }
        assertTrue(
                refused("-host-network=a=lo", "-host-network=a=eth0").reason().contains("two"));
        assertTrue(refused("-dynamic-ports=1-2,5").reason().contains("not one range"));
        assertTrue(refused("-dynamic-ports=9-2").reason().contains("\"9-2\" is no port"));
        assertTrue(refused("-bridge-network-name=a.b").reason().contains("a.b is no name"));
        assertTrue(refused("-bridge-network-subnet=fd00::/64").reason().contains("no range"));
        assertTrue(refused("-bridge-network-subnet=10.0.0.1").reason().contains("no range"));
        assertTrue(refused("-bridge-network-mtu=1279").reason().contains("=1279 is no number"));
        assertTrue(refused("-bridge-network-mtu=65536").reason().contains("no number of bytes"));
        assertTrue(refused("-cni-path=/a:b").reason().contains("b is no absolute path"));
        assertTrue(refused("-reserved-ports=x").reason().contains("\"x\" is no port"));
    }

    @Test
    void itsNamesAreThoseThatJobsAskFor() throws Exception {
        assertEquals(
                new Arrangement.Names(
                        "n1",
                        "dc2",
                        "gpu",
                        "big",
                        Map.of("rack", "r1"),
                        Duration.ofMinutes(45),
                        ExecSettings.STRICT,
                        StoreSettings.standard(),
                        DockerSettings.STRICT,
                        Map.of(
                                "data", new HostVolume("", "/srv/a:b", false),
                                "etc", new HostVolume("", "/etc", true)),
                        Optional.of(Path.of("/opt/plugins")),
                        new NetworkSettings(
                                new PortRange(9000, 9100),
                                List.of(new PortRange(22, 22), new PortRange(80, 89)),
                                Map.of(
                                        "inner",
                                        new HostNetwork("10.0.0.0/8", "", List.of()),
                                        "lan",
                                        new HostNetwork("", "eth1", List.of(new PortRange(53, 53)))),
                                new CniSettings(
                                        Path.of("/etc/cni/net.d"),
                                        List.of(Path.of("/a"), Path.of("/b")),
                                        "inside",
                                        "10.1.0.0/16",
                                        "fd00:1::/64",
                                        1400)),
                        List.of()),
                agent(
                                "-node=n1",
                                "-dc=dc2",
                                "-node-pool=gpu",
                                "-node-class=big",
                                "-meta=rack=r1",
                                "-max-kill-timeout=45m",
                                "-host-volume=data:/srv/a:b",
                                "-host-volume=etc:/etc:ro",
                                "-host-volume-plugin-dir=/opt/plugins",
                                "-dynamic-ports=9000-9100",
                                "-reserved-ports=22,80-89",
                                "-host-network=inner=10.0.0.0/8",
                                "-host-network=lan=eth1=53",
                                "-cni-config-dir=/etc/cni/net.d",
                                "-cni-path=/a:/b",
                                "-bridge-network-name=inside",
                                "-bridge-network-subnet=10.1.0.0/16",
                                "-bridge-network-subnet-ipv6=fd00:1::/64",
                                "-bridge-network-mtu=1400")
                        .names());
    }

    @Test
    void idsThatTasksGetAreThoseOfNobodyElse() throws Exception {
        assertEquals(IdRange.USUAL, agent().names().exec().users());
        assertEquals(
                new IdRange(3_000_000_000L, 3_000_000_009L),
                agent("-exec-users=3000000000-3000000009").names().exec().users());
        assertTrue(refused("-exec-users=9-1").reason().contains("9-1"));
        assertTrue(String.valueOf(refused("-exec-users=0-9").next()).contains("70000-99999"));
        assertTrue(refused("-exec-users=1-70000").reason().contains("in /etc/passwd"));
    }

    @Test
    void itListensOnItsSocketOnly() throws Exception {
        assertEquals(Optional.empty(), agent().tcp());
        for (String flag : List.of("-http-port=4646", "-bind=127.0.0.1")) {
            Failure refused = refused(flag);
            assertTrue(refused.reason().contains("become root"), refused.reason());
            assertTrue(String.valueOf(refused.next()).contains("-insecure-listen"));
        }
        Arrangement open = agent("-insecure-listen", "-bind=0.0.0.0", "-http-port=4700");
        assertEquals(Optional.of(new Listener.Tcp(InetAddress.ofLiteral("0.0.0.0"), 4700)), open.tcp());
        assertTrue(open.admitsAnyHost());
        assertFalse(agent("-insecure-listen", "-http-port=4700").admitsAnyHost());
    }

    @Test
    void devListensOnTheLoopbackAndElsewhereOnlyIfAskedTwice() throws Exception {
        assertEquals(new Listener.Tcp(InetAddress.getLoopbackAddress(), 4700), dev("--http-port", "4700"));
        assertTrue(dev("-http-port=0").port() > 0);
        assertThrows(Failure.class, () -> dev("-bind=0.0.0.0"));
        assertEquals(
                new Listener.Tcp(InetAddress.ofLiteral("0.0.0.0"), 4700),
                dev("-bind=0.0.0.0", "-insecure-listen", "-http-port=4700"));
    }

    @Test
    void aWrongFlagOrValueIsNamedWithWhatWasExpected() {
        assertTrue(String.valueOf(refused("-nod=1").next()).contains("-node"));
        assertTrue(refused("-data-dir").reason().contains("-data-dir=<directory>"));
        assertTrue(refused("now").reason().contains("now"));
        assertTrue(refused("-insecure-listen", "-http-port=many").reason().contains("many"));
        assertTrue(refused("-insecure-listen", "-http-port=70000").reason().contains("0 to 65535"));
    }

    @Test
    void itDrainsOnShutdownOnlyIfAsked() throws Exception {
        assertEquals(Optional.empty(), drain());
        assertEquals(Optional.of(Duration.ofHours(1)), drain("-drain-on-shutdown"));
        assertEquals(Optional.of(Duration.ofSeconds(90)), drain("-drain-on-shutdown=1m30s"));
        assertEquals(Optional.of(Duration.ofHours(1)), drain("-client", "-servers=/a", "-drain-on-shutdown"));
        for (String wrong : List.of("soon", "0s", "-1m")) {
            Failure refused = assertThrows(Failure.class, () -> drain("-drain-on-shutdown=" + wrong));
            assertTrue(refused.reason().contains(wrong), refused.reason());
            assertTrue(String.valueOf(refused.next()).contains("2m"));
        }
        assertThrows(Failure.class, () -> drain("-server", "-drain-on-shutdown"));
    }

    @Test
    void theHelpHasExamples() {
        String help = AgentRole.PROGRAM.help();
        assertTrue(help.contains("cleat agent -client -data-dir="), help);
        assertTrue(help.contains("-insecure-listen\n"), help);
        assertTrue(help.contains("-drain-on-shutdown[=<deadline>]\n"), help);
    }
}
