package io.cleat.launch;

import io.cleat.base.SystemTime;
import io.cleat.launch.demo.Demo;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The demo: a process that starts an agent and looks at it from outside. */
record DemoRole(List<String> args) implements Role {
    static final String WORD = "demo";
    static final String SUMMARY =
            "Watch the life of a volume on this machine, verified step by step";

    @Override
    public int play() {
        boolean isTerminal = ProcessTerminal.ofThisProcess().showsColour();
        String plain = System.getenv("NO_COLOR");
        return new Demo(
                        Path.of(System.getProperty("cleat.launcher", "cleat")),
                        DevRole.shim(),
                        new PrintWriter(System.out, false, StandardCharsets.UTF_8),
                        isTerminal && (plain == null || plain.isEmpty()),
                        isTerminal,
                        new SystemTime())
                .run(args);
    }
}
