package io.cleat.agent.host;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.TextRule;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import io.cleat.kernel.ShimCall;
import io.cleat.model.HostVolumeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A program of the node's operator that makes host volumes: called with one word, it answers in JSON. Its answers are
 * looked at as anybody's. What it is given and says is not logged: both may hold secrets.
 */
final class ExternalPlugin implements HostPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(ExternalPlugin.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** How long making or deleting may take. */
    static final Duration WITHIN = Duration.ofSeconds(60);

    /** How long it may take to say its version. */
    static final Duration FINGERPRINTING = Duration.ofSeconds(5);

    private static final int LONGEST_VERSION = 100;
    private static final int MOST_WORDS = 500;

    /** Bytes: Linux passes no longer one. */
    private static final int LONGEST_VARIABLE = 100 << 10;

    /** Where system programs are, whatever the agent was started with. */
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final String name;
    private final Path program;
    private final Path directory;
    private final Where where;
    private final ShimCall calls;
    private final Checking paths;

    /**
     * What each call is told of the node.
     *
     * @param volumes the agent's directory for host volumes
     */
    record Where(String nodeId, Path volumes) {}

    /** Looks whether a path may be a volume's. */
    @FunctionalInterface
    interface Checking {
        /** @throws KernelTrouble saying why not */
        void check(HostVolumeSpec spec, String path) throws KernelTrouble, InterruptedException;
    }

    /** @param program a file that root alone may change, over no link */
    ExternalPlugin(String name, Path program, Where where, ShimCall calls, Checking paths) {
        this.name = name;
        this.program = program;
        this.directory = program.resolveSibling("").normalize();
        this.where = where;
        this.calls = calls;
        this.paths = paths;
    }

    /** The version that it says it has: one line. */
    String version() throws KernelTrouble, InterruptedException {
        String version = text(call("fingerprint", Map.of(), FINGERPRINTING), "fingerprint", "version");
        if (version.isBlank()
                || version.length() > LONGEST_VERSION
                || TextRule.lineFault(version).isPresent()) {
            throw failed(
                    "fingerprint",
                    "gave the version "
                            + TextRule.quoted(VisibleText.cut(version, LONGEST_VERSION))
                            + ", which is not one line of 1 to "
                            + LONGEST_VERSION
                            + " characters",
                    Effect.NONE);
        }
        return version;
    }

    @Override
    public Made make(HostVolumeSpec spec) throws Trouble, InterruptedException {
        Map<String, String> given = variables(spec);
        try {
            JsonNode answer = call("create", given, WITHIN);
            String path = text(answer, "create", "path");
            long bytes = answer.path("bytes").asLong(0);
            if (bytes < 0) {
                throw failed("create", "gave the size " + bytes, Effect.UNKNOWN);
            }
            paths.check(spec, path);
            return new Made(path, bytes);
        } catch (KernelTrouble failure) {
            throw cleared(spec, failure);
        }
    }

    /** What it may have begun is undone, so that nothing is left of what nobody has. */
    private KernelTrouble cleared(HostVolumeSpec spec, KernelTrouble failure) throws InterruptedException {
        try {
            delete(spec, "");
            return new KernelTrouble(failure.reason(), Effect.NONE, Retry.NEVER, failure);
        } catch (KernelTrouble left) {
            return new KernelTrouble(
                    failure.reason() + "; and then: " + left.reason(), Effect.UNKNOWN, Retry.AFTER_OBSERVING, failure);
        }
    }

    @Override
    public void delete(HostVolumeSpec spec, String path) throws KernelTrouble, InterruptedException {
        Map<String, String> given = variables(spec);
        given.put("DHV_CREATED_PATH", path);
        run("delete", given, WITHIN);
    }

    private Map<String, String> variables(HostVolumeSpec spec) throws KernelTrouble {
        String parameters = JSON.writeValueAsString(new TreeMap<>(spec.parameters()));
        if (parameters.length() > LONGEST_VARIABLE) {
            throw failed(
                    "create", "cannot be given parameters of more than " + LONGEST_VARIABLE + " bytes", Effect.NONE);
        }
        Map<String, String> given = new TreeMap<>();
        given.put("DHV_NAMESPACE", spec.namespace());
        given.put("DHV_VOLUME_NAME", spec.name());
        given.put("DHV_VOLUME_ID", spec.id());
        given.put("DHV_NODE_ID", where.nodeId());
        given.put("DHV_NODE_POOL", spec.nodePool());
        given.put("DHV_CAPACITY_MIN_BYTES", Long.toString(spec.capacityMin()));
        given.put("DHV_CAPACITY_MAX_BYTES", Long.toString(spec.capacityMax()));
        given.put("DHV_PARAMETERS", parameters);
        return given;
    }

    private JsonNode call(String verb, Map<String, String> given, Duration within)
            throws KernelTrouble, InterruptedException {
        String output = run(verb, given, within);
        JsonNode answer = json(output);
        if (answer == null || !answer.isObject()) {
            throw failed(
                    verb,
                    "answered "
                            + TextRule.quoted(VisibleText.cut(output.strip(), MOST_WORDS))
                            + ", which is no JSON object",
                    Effect.UNKNOWN);
        }
        return answer;
    }

    private static @Nullable JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException garbage) {
            return null;
        }
    }

    private String text(JsonNode answer, String verb, String field) throws KernelTrouble {
        JsonNode value = answer.path(field);
        if (!value.isString()) {
            throw failed(verb, "gave no text \"" + field + "\" in its answer", Effect.UNKNOWN);
        }
        return value.asString();
    }

    private String run(String verb, Map<String, String> given, Duration within)
            throws KernelTrouble, InterruptedException {
        Map<String, String> all = new TreeMap<>(given);
        all.put("DHV_OPERATION", verb);
        all.put("DHV_VOLUMES_DIR", where.volumes().toString());
        all.put("DHV_PLUGIN_DIR", directory.toString());
        all.put("PATH", PATH);
        all.put("LC_ALL", "C.UTF-8");
        ShimCall.Ended ended = calls.run(directory, List.of(program.toString(), verb), all, within);
        LOG.debug("host volume plugin {} ended {} with {}", name, verb, ended.code());
        if (ended.isLate()) {
            throw failed(
                    verb,
                    "was killed with all that it had started: it took more than " + within.toSeconds() + " s",
                    Effect.UNKNOWN);
        }
        if (ended.saysTooMuch()) {
            throw failed(verb, "was killed: it printed more than an answer may have", Effect.UNKNOWN);
        }
        if (ended.code() != 0) {
            throw failed(verb, "ended with exit code " + ended.code() + words(ended), Effect.UNKNOWN);
        }
        return ended.output();
    }

    /** The error in its answer, else what it said beside it. */
    private static String words(ShimCall.Ended ended) {
        JsonNode answer = json(ended.output());
        String error = answer != null && answer.path("error").isString()
                ? answer.path("error").asString()
                : "";
        String words = error.isBlank() ? ended.words().strip() : error.strip();
        return words.isEmpty() ? "" : ": " + VisibleText.cut(words, MOST_WORDS);
    }

    private KernelTrouble failed(String verb, String what, Effect effect) {
        return new KernelTrouble(
                "host volume plugin " + name + ": " + verb + " " + what, effect, Retry.AFTER_OBSERVING);
    }
}
