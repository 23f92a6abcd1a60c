package io.cleat.model;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link Task} that is being put together, or parts of one to change. Used by one thread. */
public final class TaskDraft {
    private String name;
    private final String driver;
    private String user;
    private Map<String, Object> config;
    private Map<String, String> env;
    private Map<String, String> meta;
    private List<Constraint> constraints;
    private Resources resources;
    private LogLimits logs;
    private List<VolumeMount> volumeMounts;
    private String killSignal;
    private Duration killTimeout;
    private Duration shutdownDelay;
    private boolean leader;
    private RestartPolicy restart;
    private @Nullable CsiPluginSpec csiPlugin;
    private @Nullable TaskLifecycle lifecycle;
    private List<TaskTemplate> templates;
    private List<TaskArtifact> artifacts;
    private @Nullable String payloadFile;
    private List<Affinity> affinities;
    private List<Service> services;

    TaskDraft(String name, String driver, RestartPolicy restart) {
        this.name = name;
        this.driver = driver;
        this.restart = restart;
        this.user = "";
        this.config = Map.of();
        this.env = Map.of();
        this.meta = Map.of();
        this.constraints = List.of();
        this.resources = Resources.NONE;
        this.logs = LogLimits.DEFAULT;
        this.volumeMounts = List.of();
        this.killSignal = "";
        this.killTimeout = Duration.ofSeconds(5);
        this.shutdownDelay = Duration.ZERO;
        this.templates = List.of();
        this.artifacts = List.of();
        this.affinities = List.of();
        this.services = List.of();
    }

    TaskDraft(Task from) {
        this.name = from.name();
        this.driver = from.driver();
        this.user = from.user();
        this.config = from.config();
        this.env = from.env();
        this.meta = from.meta();
        this.constraints = from.constraints();
        this.resources = from.resources();
        this.logs = from.logs();
        this.volumeMounts = from.volumeMounts();
        this.killSignal = from.killSignal();
        this.killTimeout = from.killTimeout();
        this.shutdownDelay = from.shutdownDelay();
        this.leader = from.leader();
        this.restart = from.restart();
        this.csiPlugin = from.csiPlugin();
        this.lifecycle = from.lifecycle();
        this.templates = from.templates();
        this.artifacts = from.artifacts();
        this.payloadFile = from.payloadFile();
        this.affinities = from.affinities();
        this.services = from.services();
    }

    public TaskDraft name(String given) {
        name = given;
        return this;
    }

    public TaskDraft user(String given) {
        user = given;
        return this;
    }

    public TaskDraft config(Map<String, Object> given) {
        config = given;
        return this;
    }

    public TaskDraft env(Map<String, String> given) {
        env = given;
        return this;
    }

    public TaskDraft meta(Map<String, String> given) {
        meta = given;
        return this;
    }

    public TaskDraft constraints(List<Constraint> given) {
        constraints = given;
        return this;
    }

    public TaskDraft resources(Resources given) {
        resources = given;
        return this;
    }

    public TaskDraft logs(LogLimits given) {
        logs = given;
        return this;
    }

    public TaskDraft volumeMounts(List<VolumeMount> given) {
        volumeMounts = given;
        return this;
    }

    public TaskDraft killSignal(String given) {
        killSignal = given;
        return this;
    }

    public TaskDraft killTimeout(Duration given) {
        killTimeout = given;
        return this;
    }

    public TaskDraft shutdownDelay(Duration given) {
        shutdownDelay = given;
        return this;
    }

    public TaskDraft leader(boolean given) {
        leader = given;
        return this;
    }

    public TaskDraft restart(RestartPolicy given) {
        restart = given;
        return this;
    }

    public TaskDraft csiPlugin(@Nullable CsiPluginSpec given) {
        csiPlugin = given;
        return this;
    }

    public TaskDraft lifecycle(@Nullable TaskLifecycle given) {
        lifecycle = given;
        return this;
    }

    public TaskDraft templates(List<TaskTemplate> given) {
        templates = given;
        return this;
    }

    public TaskDraft artifacts(List<TaskArtifact> given) {
        artifacts = given;
        return this;
    }

    public TaskDraft payloadFile(@Nullable String given) {
        payloadFile = given;
        return this;
    }

    public TaskDraft affinities(List<Affinity> given) {
        affinities = given;
        return this;
    }

    public TaskDraft services(List<Service> given) {
        services = given;
        return this;
    }

    public Task done() {
        return new Task(
                name,
                driver,
                user,
                config,
                env,
                meta,
                constraints,
                resources,
                logs,
                volumeMounts,
                killSignal,
                killTimeout,
                shutdownDelay,
                leader,
                restart,
                csiPlugin,
                lifecycle,
                templates,
                artifacts,
                payloadFile,
                affinities,
                services);
    }
}
