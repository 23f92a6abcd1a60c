package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class SameSeedTest {
    /** Other tests take the first place that is free: what is hashed may name the place. */
    private static final int PLACE = 50;

    /** The JDK draws the order of its sets and maps anew for each program: no decision may come of it. */
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void theSameSeedGivesTheSameRunInAnotherProgram() throws Exception {
        String here;
        int number;
        try (Workplace place = Workplace.take(PLACE)) {
            Run.Result result = Run.of(1, place, line -> {});
            here = Main.line(1, result);
            number = place.number();
        }
        assertEquals(here, there(number).lines().findFirst().orElse(""));
    }

    private static String there(int place) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("--seeds", "1-1", "--place", String.valueOf(place)));
        Process program = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, program.waitFor(), printed);
        return printed;
    }
}
