package io.cleat.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.agent.network.CniSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A network namespace behind a bridge, as a person makes it who calls {@code ip} and the CNI plugins, with the
 * configuration that the agent gives them.
 */
final class NetworkByHand {
    private static final List<String> PLUGINS = List.of("bridge", "firewall", "portmap");

    private final CniSettings settings;
    private final String name;
    private final int port;

    /** What the plugins have answered; empty while none has. */
    private String result = "";

    /**
     * @param name of the namespace
     * @param port of this machine's loopback address that is passed on
     */
    NetworkByHand(CniSettings settings, String name, int port) {
        this.settings = settings;
        this.name = name;
        this.port = port;
    }

    Path namespace() {
        return Path.of("/run/netns", name);
    }

    void make() throws IOException, InterruptedException {
        Commands.run("ip", "netns", "add", name);
        Commands.run("ip", "-n", name, "link", "set", "lo", "up");
        for (String plugin : PLUGINS) {
            result = call("ADD", plugin);
        }
    }

    /** Idempotent. Plugins undo what they find in the result that they are shown again. */
    void remove() throws IOException, InterruptedException {
        if (Files.exists(namespace())) {
            for (String plugin : PLUGINS.reversed()) {
                call("DEL", plugin);
            }
            Commands.run("ip", "netns", "delete", name);
        }
    }

    private String call(String verb, String plugin) throws IOException, InterruptedException {
        Path program = settings.programs().stream()
                .map(directory -> directory.resolve(plugin))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
        ProcessBuilder builder = new ProcessBuilder(program.toString()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .putAll(Map.of(
                        "CNI_COMMAND",
                        verb,
                        "CNI_CONTAINERID",
                        name,
                        "CNI_NETNS",
                        namespace().toString(),
                        "CNI_IFNAME",
                        "eth0",
                        "CNI_PATH",
                        String.valueOf(program.getParent())));
        Process process = builder.start();
        try (OutputStream to = process.getOutputStream()) {
            to.write(config(plugin).getBytes(UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(verb + " of " + plugin + " failed: " + said);
        }
        return said;
    }

    private String config(String plugin) {
        String own = switch (plugin) {
            case "bridge" -> """
                        "bridge":"%s","isGateway":true,"ipMasq":true,"forceAddress":true,"hairpinMode":true,\
                        "ipam":{"type":"host-local","ranges":[[{"subnet":"%s"}]],"routes":[{"dst":"0.0.0.0/0"}]}""".formatted(settings.bridge(), settings.subnet());
            case "firewall" -> """
                        "backend":"iptables","iptablesAdminChainName":"CLEAT-ADMIN\"""";
            default -> """
                        "snat":true,"runtimeConfig":{"portMappings":[%s,%s]}""".formatted(mapping("tcp"), mapping("udp"));
        };
        String before = result.isEmpty() ? "" : ",\"prevResult\":" + result;
        return "{\"cniVersion\":\"0.4.0\",\"name\":\"%s\",\"type\":\"%s\",%s%s}"
                .formatted(settings.bridge(), plugin, own, before);
    }

    private String mapping(String protocol) {
        return "{\"hostPort\":%d,\"containerPort\":80,\"protocol\":\"%s\",\"hostIP\":\"127.0.0.1\"}"
                .formatted(port, protocol);
    }
}
