package io.cleat.processtests;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.artifact.ConfinedJava;
import io.cleat.artifact.FetchMain;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Starts what fetches, which ends for want of an order, and prints with what it was started, and what it said. A cache
 * that is not for its flags or its class path is an error here, where it is none for users.
 */
final class ConfinedStart {
    private ConfinedStart() {}

    /** @param args an empty directory */
    public static void main(String[] args) throws Exception {
        Process process = new ConfinedJava(FetchMain.class, 64, List.of("-XX:AOTMode=on"))
                .start(Optional.empty(), Path.of(args[0]), Long.MAX_VALUE, List.of());
        System.out.println(process.info().commandLine().orElse(""));
        process.getOutputStream().close();
        System.out.println(new String(process.getErrorStream().readAllBytes(), UTF_8));
    }
}
