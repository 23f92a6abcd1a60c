package io.cleat.demo;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The file in which the plugin writes a line per call that it answered. */
record CallLog(Path file) {
    /** The calls that only ask how a plugin is and what it can do. */
    private static final Pattern ASKING =
            Pattern.compile("Probe|GetPlugin(Info|Capabilities)|(Node|Controller)Get(Info|Capabilities)");

    /**
     * One answered call.
     *
     * @param time when it was answered
     * @param volume the plugin's own id of the volume, or empty
     */
    record Call(Instant time, String method, String volume, String target, String code, long pid) {
        boolean isAsking() {
            return ASKING.matcher(method).matches();
        }

        boolean isOk() {
            return code.equals("OK");
        }
    }

    /** All calls so far. */
    List<Call> calls() throws CheckFailed {
        try {
            return parse(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw CheckFailed.unseen("the plugin's call log " + file, unreadable);
        }
    }

    /** The calls after the first {@code count}. */
    List<Call> after(int count) throws CheckFailed {
        List<Call> all = calls();
        return all.subList(Math.min(count, all.size()), all.size());
    }

    /** How often {@code method} was answered OK for a volume. */
    long count(String method, String volume) throws CheckFailed {
        return calls().stream()
                .filter(Call::isOk)
                .filter(call -> call.method().equals(method) && call.volume().equals(volume))
                .count();
    }

    /** Fails unless a method was answered OK exactly so often for a volume. */
    void exactly(int count, String method, String volume) throws CheckFailed {
        long seen = count(method, volume);
        CheckFailed.unless(
                seen == count,
                "calls of " + method + " for volume " + Cluster.brief(volume),
                String.valueOf(count),
                seen);
    }

    /**
     * The calls after the first {@code count}; fails unless all of them only ask, and are answered by one of
     * {@code pids}.
     */
    List<Call> onlyAsked(int count, Long... pids) throws CheckFailed {
        List<Call> calls = after(count);
        for (Call call : calls) {
            CheckFailed.unless(
                    call.isAsking(), "the plugin's calls meanwhile", "only Probe, Get*Info and Get*Capabilities", call);
            CheckFailed.unless(
                    List.of(pids).contains(call.pid()),
                    "the process that answered " + call.method(),
                    "one of " + List.of(pids),
                    "pid " + call.pid());
        }
        return calls;
    }

    /** The methods of {@code calls}, each once, for people. */
    static String methods(List<Call> calls) {
        return String.join(
                ", ", calls.stream().map(Call::method).distinct().sorted().toList());
    }

    static List<Call> parse(String text) throws CheckFailed {
        List<Call> calls = new ArrayList<>();
        int begin = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
            calls.add(call(text.substring(begin, end)));
            begin = end + 1;
        }
        return calls;
    }

    private static Call call(String line) throws CheckFailed {
        try {
            JsonNode json = Json.tree(line.getBytes(StandardCharsets.UTF_8));
            return new Call(
                    Instant.parse(json.path("time").asString("")),
                    json.path("method").asString(""),
                    json.path("volume_id").asString(""),
                    json.path("target").asString(""),
                    json.path("code").asString(""),
                    json.path("pid").asLong(0));
        } catch (Refused | DateTimeParseException unreadable) {
            throw new CheckFailed("the plugin's call log", "a JSON object per line", line);
        }
    }
}
