package io.cleat.architecture;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What each module of the program may know. A change here is a decision about the architecture: it comes with a page in
 * docs/decisions.
 */
final class Arrows {
    static final Map<String, Set<String>> KNOWS = Map.ofEntries(
            Map.entry("base", Set.of()),
            Map.entry("codec", Set.of("base")),
            Map.entry("template", Set.of("base")),
            Map.entry("exchange", Set.of()),
            Map.entry("model", Set.of("base")),
            Map.entry("state", Set.of("base", "codec", "model")),
            Map.entry("schedule", Set.of("base", "model", "state")),
            Map.entry("log", Set.of("base")),
            Map.entry("csi-schema", Set.of()),
            Map.entry("csi", Set.of("base", "csi-schema")),
            Map.entry("kernel", Set.of("base")),
            Map.entry("driver", Set.of("base", "codec", "model", "kernel", "exchange")),
            Map.entry("driver-schema", Set.of()),
            Map.entry("driver-kit", Set.of("base", "model", "kernel", "driver", "driver-schema")),
            Map.entry("java-driver", Set.of("base", "model", "driver", "driver-kit")),
            Map.entry("driver-plugin", Set.of("base", "codec", "model", "kernel", "driver", "driver-schema")),
            Map.entry("artifact", Set.of("base", "model")),
            Map.entry("image", Set.of("base", "kernel", "driver", "artifact")),
            Map.entry("wire", Set.of("base", "codec", "model")),
            Map.entry(
                    "agent",
                    Set.of(
                            "base",
                            "codec",
                            "model",
                            "wire",
                            "kernel",
                            "driver",
                            "artifact",
                            "csi",
                            "template",
                            "exchange")),
            Map.entry("server", Set.of("base", "codec", "model", "state", "schedule", "log", "wire")),
            Map.entry("api", Set.of("base", "model", "exchange")),
            Map.entry("jobspec", Set.of("base", "api")),
            Map.entry("http", Set.of("base", "api", "exchange")),
            Map.entry("cli", Set.of("base", "api", "jobspec", "template")),
            // What one node answers; it knows no server.
            Map.entry("node-api", Set.of("base", "model", "kernel", "driver", "agent", "api", "http")),
            // The only place where rows and the records of the API meet: the routes of the
            // cluster, over the server's images.
            Map.entry("cluster-api", Set.of("base", "model", "state", "schedule", "server", "api", "jobspec", "http")),
            Map.entry("local-plugin", Set.of("base", "csi-schema", "kernel")),
            // Sees the agent, and a container engine, from outside, as users do.
            Map.entry("demo", Set.of("base", "kernel", "api", "jobspec", "cli", "exchange")));

    /** Composition makes every object, so it knows every module. */
    static final String COMPOSITION = "launch";

    /** Each library has its place: the packages it comes in, and the modules that may see it. */
    static final Map<String, List<String>> LIBRARIES = Map.ofEntries(
            Map.entry("org.apache.ratis", List.of("log")),
            Map.entry("org.eclipse.jetty", List.of("http")),
            Map.entry("org.pcollections", List.of("state")),
            Map.entry(
                    "tools.jackson",
                    List.of(
                            "codec",
                            "api",
                            "driver",
                            "driver-plugin",
                            "agent",
                            "image",
                            "jobspec",
                            "http",
                            "cli",
                            "cluster-api",
                            "demo")),
            Map.entry(
                    "io.grpc",
                    List.of(
                            "csi-schema",
                            "csi",
                            "driver-schema",
                            "driver-plugin",
                            "driver-kit",
                            "wire",
                            "local-plugin")),
            Map.entry("io.netty", List.of("csi", "driver-plugin", "driver-kit", "wire", "local-plugin")),
            Map.entry(
                    "com.google.protobuf",
                    List.of("csi-schema", "csi", "driver-schema", "driver-plugin", "driver-kit", "local-plugin")),
            Map.entry("org.msgpack", List.of("driver-plugin", "driver-kit")),
            Map.entry("org.eclipse.jgit", List.of("artifact")),
            // Archives of strangers, the snapshot of a cluster, the image that is packed
            // here.
            Map.entry("org.apache.commons.compress", List.of("artifact", "cluster-api", "demo")),
            Map.entry("io.airlift", List.of("artifact", "image")),
            // Behind LinearPattern, which bounds what an expression costs.
            Map.entry("com.google.re2j", List.of("base")));

    private Arrows() {}
}
