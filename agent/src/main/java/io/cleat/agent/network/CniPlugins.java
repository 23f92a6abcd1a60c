package io.cleat.agent.network;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.TextRule;
import io.cleat.base.VisibleText;
import io.cleat.kernel.ProgramRule;
import io.cleat.kernel.ShimCall;
import io.cleat.model.AllocAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks plugins by the protocol of the Container Network Interface: a program that has its order in its environment and
 * its configuration on its input, and answers in JSON. What it is told and answers is not logged: both may hold
 * secrets. Any thread.
 */
final class CniPlugins {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The interface of an allocation. */
    static final String INTERFACE = "eth0";

    /** Bytes of what a plugin is told: Linux passes no longer variable. */
    private static final int LONGEST = 120 << 10;

    private static final int MOST_WORDS = 500;

    private final List<Path> directories;
    private final ShimCall calls;
    private final Duration within;

    /**
     * @param directories of programs; of one name the first counts
     * @param within how long a call may take
     */
    CniPlugins(List<Path> directories, ShimCall calls, Duration within) {
        this.directories = List.copyOf(directories);
        this.calls = calls;
        this.within = within;
    }

    /** Why a plugin cannot be asked, in words that follow its name; empty if it can. */
    Optional<String> fault(String type) {
        return fault(program(type));
    }

    private Optional<String> fault(Optional<Path> program) {
        if (program.isEmpty()) {
            String searched = directories.stream().map(Path::toString).collect(Collectors.joining(", "));
            return Optional.of("is in none of " + searched + ": install it, or set -cni-path");
        }
        try {
            return ProgramRule.OF_ROOT.fault(program.get()).map(words -> "is not run, since root would: " + words);
        } catch (IOException failed) {
            return Optional.of("cannot be looked at: " + failed);
        }
    }

    private Optional<Path> program(String type) {
        return directories.stream()
                .map(directory -> directory.resolve(type))
                .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
                .findFirst();
    }

    /** Refuses a plugin that cannot be asked, before it is written down that it is. */
    void require(NetworkRecord.Call call) throws KernelTrouble {
        program(call, "ADD");
    }

    /**
     * Connects an allocation.
     *
     * @return the plugin's answer, of which this alone is known: it is a JSON object
     */
    String add(NetworkRecord network, NetworkRecord.Call call) throws KernelTrouble, InterruptedException {
        String output = run("ADD", network, call);
        JsonNode answer = json(output);
        if (answer == null || !answer.isObject()) {
            throw failed(
                    "ADD",
                    call,
                    "answered "
                            + TextRule.quoted(VisibleText.cut(output.strip(), MOST_WORDS))
                            + ", which is no JSON object",
                    Effect.UNKNOWN);
        }
        try {
            CniResult.address(answer, INTERFACE);
        } catch (CniResult.Faulty fault) {
            throw failed("ADD", call, "answered wrongly: " + fault.getMessage(), Effect.UNKNOWN);
        }
        return JSON.writeValueAsString(answer);
    }

    /**
     * Where an allocation is, and how names are resolved there, by the last answer of its plugins; empty if that says
     * nothing.
     */
    Optional<AllocAddress> address(NetworkRecord network) throws KernelTrouble {
        JsonNode answer = json(network.result());
        if (answer == null || !answer.isObject()) {
            return Optional.empty();
        }
        try {
            return CniResult.address(answer, INTERFACE);
        } catch (CniResult.Faulty fault) {
            throw unusable(network, fault);
        }
    }

    private static KernelTrouble unusable(NetworkRecord network, CniResult.Faulty fault) {
        return new KernelTrouble(
                "what is written down of the network of allocation "
                        + network.allocId()
                        + " cannot be used: "
                        + fault.getMessage(),
                Effect.NONE,
                Retry.NEVER);
    }

    /** Undoes {@link #add}, also one that failed. Idempotent. */
    void delete(NetworkRecord network, NetworkRecord.Call call) throws KernelTrouble, InterruptedException {
        run("DEL", network, call);
    }

    /**
     * Asks whether an allocation is connected as {@link #add} said.
     *
     * @throws KernelTrouble with the plugin's words if it is not
     */
    void check(NetworkRecord network, NetworkRecord.Call call) throws KernelTrouble, InterruptedException {
        run("CHECK", network, call);
    }

    /** Has a plugin undo what none of the allocations has that it is told of. */
    void collect(NetworkRecord.Call call) throws KernelTrouble, InterruptedException {
        run("GC", call, call.config(), Map.of());
    }

    private String run(String verb, NetworkRecord network, NetworkRecord.Call call)
            throws KernelTrouble, InterruptedException {
        String namespace = network.namespace();
        boolean isThere = network.driver() == null ? Files.exists(Path.of(namespace)) : !namespace.isEmpty();
        return run(
                verb,
                call,
                config(call, network.result()),
                Map.of(
                        "CNI_CONTAINERID",
                        NetworkNamespaces.name(network.allocId()),
                        "CNI_NETNS",
                        isThere ? namespace : "",
                        "CNI_IFNAME",
                        INTERFACE,
                        "CNI_ARGS",
                        network.args()));
    }

    private String run(String verb, NetworkRecord.Call call, String config, Map<String, String> attachment)
            throws KernelTrouble, InterruptedException {
        Path program = program(call, verb);
        if (config.length() > LONGEST) {
            throw failed(verb, call, "cannot be told more than " + LONGEST + " bytes", Effect.NONE);
        }
        Map<String, String> given = new TreeMap<>(attachment);
        given.put("PATH", SystemPrograms.SEARCHED);
        given.put("LC_ALL", "C.UTF-8");
        given.put("CNI_COMMAND", verb);
        given.put("CNI_PATH", directories.stream().map(Path::toString).collect(Collectors.joining(":")));
        given.put("CLEAT_CNI_INPUT", config);
        ShimCall.Ended ended = calls.run(
                Path.of("/"),
                // The shim gives no input: what is said reaches the plugin by a pipe.
                List.of(
                        "/bin/sh",
                        "-c",
                        "printf %s \"$CLEAT_CNI_INPUT\" | { unset CLEAT_CNI_INPUT; exec \"$0\"; }",
                        program.toString()),
                given,
                within);
        if (ended.isLate()) {
            throw failed(
                    verb,
                    call,
                    "was killed with all that it had started: it took more than " + within.toSeconds() + " s",
                    Effect.UNKNOWN);
        }
        if (ended.saysTooMuch()) {
            throw failed(verb, call, "was killed: it printed more than an answer may have", Effect.UNKNOWN);
        }
        if (ended.code() != 0) {
            throw failed(verb, call, "ended with exit code " + ended.code() + words(ended), Effect.UNKNOWN);
        }
        return ended.output();
    }

    private Path program(NetworkRecord.Call call, String verb) throws KernelTrouble {
        Optional<Path> program = program(call.type());
        Optional<String> fault = fault(program);
        if (fault.isPresent()) {
            throw failed(verb, call, fault.get(), Effect.NONE);
        }
        return program.orElseThrow();
    }

    private static String config(NetworkRecord.Call call, String before) {
        ObjectNode config = (ObjectNode) JSON.readTree(call.config());
        if (!before.isEmpty()) {
            config.set("prevResult", JSON.readTree(before));
        }
        return JSON.writeValueAsString(config);
    }

    private static @Nullable JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException garbage) {
            return null;
        }
    }

    /** The error in its answer, else what it said beside it. */
    private static String words(ShimCall.Ended ended) {
        JsonNode answer = json(ended.output());
        String error = answer == null ? "" : answer.path("msg").asString("");
        String details = answer == null ? "" : answer.path("details").asString("");
        String words = error.isBlank()
                ? ended.words().strip()
                : error.strip() + (details.isBlank() ? "" : ", " + details.strip());
        return words.isEmpty() ? "" : ": " + VisibleText.cut(words, MOST_WORDS);
    }

    private static KernelTrouble failed(String verb, NetworkRecord.Call call, String what, Effect effect) {
        return new KernelTrouble(
                "CNI plugin \"" + call.type() + "\": " + verb + " " + what, effect, Retry.AFTER_OBSERVING);
    }
}
