package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CleatClient;
import io.cleat.api.LocalToken;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Seen: any task and any local user could start a job as root over the port of {@code cleat dev}. */
class TokenTest {
    private static CleatClient over(AgentRun agent, Secret token) {
        return new CleatClient(agent.port(), new CleatClient.Options("", "", token));
    }

    @Test
    @Timeout(300)
    void withoutTheTokenThePortOfDevAnswersNobody_andEachStartHasAnother() throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            Secret first = token(agent);
            for (String wrong : new String[] {"", "0".repeat(64)}) {
                UnexpectedAnswer denied = assertThrows(
                        UnexpectedAnswer.class,
                        () -> over(agent, new Secret(wrong))
                                .jobs()
                                .deregister("local-plugin", true, false, Params.none()));
                assertEquals(403, denied.status());
                assertEquals("Permission denied", denied.body().strip());
            }
            assertFalse(over(agent, first).jobs().list(Params.none()).body().isEmpty());
            assertNotNull(over(agent, new Secret("")).agent().health().server());
            // Once it announced one on which nothing listened.
            assertEquals(agent.port().port(), announced(agent.client()));
            assertNobodyReads(agent.data().resolve(LocalToken.FILE));
            assertNotPrinted(agent, first);
            agent.kill();
            agent.start();
            assertThrows(UnexpectedAnswer.class, () -> over(agent, first).jobs().list(Params.none()));
            assertFalse(
                    over(agent, token(agent)).jobs().list(Params.none()).body().isEmpty());
            agent.stop("local-plugin");
        }
    }

    /** The port of the first server. */
    private static int announced(CleatClient client) throws Exception {
        return client.agent().members().Members().getFirst().Port();
    }

    private static Secret token(AgentRun agent) {
        Optional<Secret> found = LocalToken.find(LocalToken.AGENTS, agent.port());
        return found.orElseThrow(() -> new AssertionError(agent.printed()));
    }

    private static void assertNobodyReads(Path file) throws Exception {
        Process reader = new ProcessBuilder(
                        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "cat", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(reader.waitFor(30, TimeUnit.SECONDS));
        assertTrue(said.contains("ermission denied"), said);
    }

    /** Neither in what it prints, nor in the arguments and the environment of any process. */
    private static void assertNotPrinted(AgentRun agent, Secret token) {
        assertFalse(agent.printed().contains(token.reveal()), "the token is printed");
        for (ProcessHandle each : ProcessHandle.allProcesses().toList()) {
            for (String file : new String[] {"cmdline", "environ"}) {
                Path of = Path.of("/proc/" + each.pid(), file);
                assertFalse(text(of).contains(token.reveal()), of.toString());
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
