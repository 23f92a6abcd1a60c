package io.cleat.driver.docker;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A container, as its engine says it is.
 *
 * @param state in the engine's word: {@code created}, {@code running}, {@code exited} ...
 * @param exitCode of one that has ended
 * @param pid of its first process, where the engine is; 0 for none
 * @param address in a network of the engine; empty for none
 * @param error the engine's words on why it did not start; empty for none
 * @param started empty if it never was
 */
record Container(
        String id,
        String name,
        String image,
        String state,
        int exitCode,
        boolean oomKilled,
        long pid,
        String address,
        String error,
        Optional<Instant> started,
        Optional<Instant> finished,
        Map<String, String> labels) {
    private static final Instant NEVER = Instant.parse("0001-01-02T00:00:00Z");

    static Container of(JsonNode said) {
        JsonNode state = said.path("State");
        return new Container(
                said.path("Id").asString(""),
                said.path("Name").asString("").replaceFirst("^/", ""),
                said.path("Image").asString(""),
                state.path("Status").asString(""),
                state.path("ExitCode").asInt(-1),
                state.path("OOMKilled").asBoolean(false),
                state.path("Pid").asLong(0),
                address(said.path("NetworkSettings")),
                state.path("Error").asString(""),
                moment(state.path("StartedAt").asString("")),
                moment(state.path("FinishedAt").asString("")),
                Labels.of(said.path("Config").path("Labels")));
    }

    /** Engines say it by network, where older ones say it once. */
    private static String address(JsonNode settings) {
        for (String key : List.of("IPAddress", "GlobalIPv6Address")) {
            String alone = settings.path(key).asString("");
            if (!alone.isEmpty()) {
                return alone;
            }
            for (JsonNode network : settings.path("Networks")) {
                String address = network.path(key).asString("");
                if (!address.isEmpty()) {
                    return address;
                }
            }
        }
        return "";
    }

    private static Optional<Instant> moment(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant()).filter(moment -> moment.isAfter(NEVER));
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }

    /** Whether something of it may run, or will. */
    boolean lives() {
        return lives(state);
    }

    /** Whether anything of a container runs that its engine says to be in that state. */
    static boolean lives(String state) {
        return switch (state) {
            case "running", "paused", "restarting", "removing", "stopping" -> true;
            default -> false;
        };
    }

    /** Whether it was made and nothing of it ever ran. */
    boolean isFresh() {
        return state.equals("created") || state.equals("initialized") || state.equals("configured");
    }

    String label(String name) {
        return labels.getOrDefault(name, "");
    }
}
