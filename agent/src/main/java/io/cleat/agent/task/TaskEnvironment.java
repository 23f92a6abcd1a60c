package io.cleat.agent.task;

import io.cleat.agent.Machine;
import io.cleat.base.Ordered;
import io.cleat.base.VisibleText;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocatedPort;
import io.cleat.model.EnvNames;
import io.cleat.model.JobSpec;
import io.cleat.model.NodeFacts;
import io.cleat.model.PortVariables;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a task, and the meaning of <code>${..}</code> in its configuration.
 *
 * <p>The names are those of Nomad's runtime environment; volumes add {@code CLEAT_VOLUME_<alias>}.
 */
final class TaskEnvironment {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern ENV_INDEX = Pattern.compile("env\\[\"?([^\"\\]]*)\"?]");

    /**
     * What an environment is made of.
     *
     * @param volumes where the task sees each volume, by alias
     * @param ports of the node that the allocation was given
     * @param address of the allocation in a network of its own; null if it has none
     * @param rendered what templates add; it wins over what the job says
     */
    record Facts(
            String allocId,
            String allocName,
            int allocIndex,
            JobSpec job,
            TaskGroup group,
            Task task,
            NodeFacts node,
            Path allocDir,
            Path taskDir,
            Path secretsDir,
            Map<String, String> volumes,
            List<AllocatedPort> ports,
            @Nullable AllocAddress address,
            Map<String, String> added,
            Map<String, String> rendered) {}

    private final Facts facts;
    private final Map<String, String> variables;
    private final SequencedSet<String> unknown = new LinkedHashSet<>();

    TaskEnvironment(Facts facts) {
        this.facts = facts;
        this.variables = own();
        facts.task().env().forEach((name, value) -> variables.put(name, expand(value)));
        variables.putAll(facts.rendered());
    }

    /** The variables, by name. */
    Map<String, String> variables() {
        return Ordered.copyOf(variables);
    }

    /**
     * What was asked of this node so far, for the environment and by {@link #expand}, and is not known: names such as
     * {@code attr.cpu.arch}, in their order.
     */
    List<String> unknown() {
        return List.copyOf(unknown);
    }

    /**
     * A configuration with each <code>${..}</code> in it replaced. What a node does not say of itself is empty; another
     * name that is not known stays as it is, and may be meant for a shell.
     */
    Map<String, Object> expand(Map<String, Object> config) {
        Map<String, Object> expanded = new TreeMap<>();
        config.forEach((name, value) -> expanded.put(name, expandValue(value)));
        return expanded;
    }

    private Object expandValue(Object value) {
        return switch (value) {
            case String text -> expand(text);
            case List<?> list -> list.stream().map(this::expandValue).toList();
            case Map<?, ?> map -> {
                Map<String, Object> expanded = new TreeMap<>();
                map.forEach((name, each) -> expanded.put(String.valueOf(name), expandValue(each)));
                yield expanded;
            }
            default -> value;
        };
    }

    /** A text with each <code>${..}</code> in it replaced likewise. */
    String expand(String text) {
        return REFERENCE.matcher(text).replaceAll(match -> {
            String known = lookUp(match.group(1).strip());
            return Matcher.quoteReplacement(known == null ? match.group() : known);
        });
    }

    private String ofNode(String name, @Nullable String known) {
        if (known == null) {
            unknown.add(name);
        }
        return known == null ? "" : known;
    }

    private @Nullable String lookUp(String name) {
        Matcher index = ENV_INDEX.matcher(name);
        if (index.matches()) {
            return variables.get(index.group(1));
        }
        if (name.startsWith("attr.")) {
            String attribute = name.substring("attr.".length());
            return ofNode(name, facts.node().attributes().get(attribute));
        }
        if (name.startsWith("meta.")) {
            return ofNode(name, facts.node().meta().get(name.substring("meta.".length())));
        }
        return switch (name) {
            case "node.unique.id" -> facts.node().id();
            case "node.unique.name" -> facts.node().name();
            case "node.datacenter" -> facts.node().datacenter();
            case "node.class" -> facts.node().nodeClass();
            case "node.pool" -> facts.node().nodePool();
            case "node.region" -> facts.job().region();
            default -> name.startsWith("node.") ? ofNode(name, null) : variables.get(name);
        };
    }

    private Map<String, String> own() {
        Map<String, String> own = new HashMap<>();
        Task task = facts.task();
        own.put("NOMAD_ALLOC_ID", facts.allocId());
        own.put("NOMAD_SHORT_ALLOC_ID", VisibleText.head(facts.allocId(), 8));
        own.put("NOMAD_ALLOC_NAME", facts.allocName());
        own.put("NOMAD_ALLOC_INDEX", Integer.toString(facts.allocIndex()));
        own.put("NOMAD_TASK_NAME", task.name());
        own.put("NOMAD_GROUP_NAME", facts.group().name());
        own.put("NOMAD_JOB_ID", facts.job().id().id());
        own.put("NOMAD_JOB_NAME", facts.job().name());
        facts.job().parent().ifPresent(parent -> own.put("NOMAD_JOB_PARENT_ID", parent.id()));
        own.put("NOMAD_NAMESPACE", facts.job().id().namespace());
        own.put("NOMAD_REGION", facts.job().region());
        own.put("NOMAD_DC", facts.node().datacenter());
        own.put("NOMAD_CPU_LIMIT", Long.toString(task.resources().cpuMhz()));
        if (!task.resources().coreIds().isEmpty()) {
            own.put("NOMAD_CPU_CORES", task.resources().coreList());
        }
        own.put("NOMAD_MEMORY_LIMIT", Long.toString(task.resources().memoryMb()));
        if (task.resources().memoryMaxMb() > 0) {
            own.put("NOMAD_MEMORY_MAX_LIMIT", Long.toString(task.resources().memoryMaxMb()));
        }
        String cgroup = facts.node().attributes().get(Machine.CGROUP_PARENT);
        if (cgroup != null) {
            own.put("NOMAD_PARENT_CGROUP", cgroup);
        }
        own.put("NOMAD_ALLOC_DIR", facts.allocDir().toString());
        own.put("NOMAD_TASK_DIR", facts.taskDir().toString());
        own.put("NOMAD_SECRETS_DIR", facts.secretsDir().toString());
        for (Map<String, String> meta :
                List.of(facts.job().meta(), facts.group().meta(), task.meta())) {
            meta.forEach((name, value) -> {
                own.put("NOMAD_META_" + EnvNames.of(name), value);
                own.put("NOMAD_META_" + EnvNames.of(name).toUpperCase(Locale.ROOT), value);
            });
        }
        facts.volumes().forEach((alias, path) -> own.put("CLEAT_VOLUME_" + EnvNames.of(alias), path));
        facts.ports().forEach(port -> own.putAll(PortVariables.of(port, facts.address())));
        own.putAll(facts.added());
        return own;
    }
}
