package io.cleat.driver.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskNetwork;
import io.cleat.model.NetworkDns;
import io.cleat.model.Resources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an engine is asked to create. */
final class ContainerSpecTest {
    @TempDir
    Path directory;

    private Map<?, ?> host(Map<String, Object> block, NetworkDns ofGroup) {
        Map<String, Object> all = new TreeMap<>(block);
        all.put("image", "redis:7");
        TaskConfig config = new TaskConfig(
                        "a/web/00000001",
                        "a",
                        "web",
                        all,
                        Map.of(),
                        "",
                        Resources.NONE,
                        directory,
                        directory,
                        List.of(),
                        new TaskConfig.Logs(directory, 1, 1, false))
                .in(new TaskNetwork(Optional.empty(), Map.of(), "", List.of(), ofGroup));
        Object host = ContainerSpec.of(new ContainerPlan(
                        config,
                        DockerBlock.read(all, DockerSettings.STRICT).block(),
                        "sha256:1",
                        "",
                        Map.of(),
                        List.of(),
                        List.of(),
                        List.of()))
                .get("HostConfig");
        return assertInstanceOf(Map.class, host);
    }

    @Test
    void namesAreResolvedAsTheGroupSays_whereTheTaskSaysNothing() {
        NetworkDns group = new NetworkDns(List.of("192.0.2.53"), List.of("a.example"), List.of("ndots:2"));
        Map<?, ?> host = host(Map.of("dns_servers", List.of("192.0.2.54")), group);
        assertEquals(List.of("192.0.2.54"), host.get("Dns"));
        assertEquals(List.of("a.example"), host.get("DnsSearch"));
        assertEquals(List.of("ndots:2"), host.get("DnsOptions"));
        assertEquals(false, host(Map.of(), NetworkDns.OF_NODE).containsKey("Dns"));
    }
}
