package io.cleat.agent.template;

import io.cleat.base.KernelTrouble;
import io.cleat.base.TemplateTrouble;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.model.TaskTemplate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The templates of one task, in the order of its job. Used by one thread at a time. */
public final class TemplateSet {
    private final List<RenderedFile> all;

    public TemplateSet(
            List<TaskTemplate> templates, TaskPlaces places, TaskFiles files, Time time, RenderingBudget budget) {
        this.all = templates.stream()
                .map(template -> new RenderedFile(template, places, files, time, budget))
                .toList();
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Whether this agent has rendered them all. */
    public boolean isRendered() {
        return all.stream().allMatch(RenderedFile::isRendered);
    }

    /** Whether there is a file that may change one of them. */
    public boolean isToBeWatched() {
        return all.stream().anyMatch(RenderedFile::isToBeWatched);
    }

    /**
     * Renders what is not rendered or has changed, and writes every file.
     *
     * @param anew whether all are rendered, whatever they are made of
     * @return the file that one waits for; empty if all are written
     */
    public Optional<String> write(TemplateInput input, boolean anew)
            throws TemplateTrouble, KernelTrouble, InterruptedException {
        for (RenderedFile each : all) {
            Optional<String> missing = each.write(input, anew);
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    /** What they add to the task's environment; of two the later. */
    public Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>();
        for (RenderedFile each : all) {
            variables.putAll(each.variables());
        }
        return variables;
    }

    /** Learns what an earlier agent has rendered; those that differ now. */
    List<TaskTemplate> adopt(TemplateInput input, Consumer<Trouble> failed) throws InterruptedException {
        return each(file -> file.adopt(input), failed);
    }

    /** Renders those again whose files have changed; those that differ then. */
    List<TaskTemplate> refresh(TemplateInput input, Consumer<Trouble> failed) throws InterruptedException {
        return each(file -> file.refresh(input), failed);
    }

    /** Something that makes a template's file anew, or does not. */
    @FunctionalInterface
    private interface Step {
        boolean differs(RenderedFile file) throws Trouble, InterruptedException;
    }

    /** One that fails stays as it is, and keeps no other from being rendered. */
    private List<TaskTemplate> each(Step step, Consumer<Trouble> failed) throws InterruptedException {
        List<TaskTemplate> changed = new ArrayList<>();
        for (RenderedFile each : all) {
            try {
                if (step.differs(each)) {
                    changed.add(each.template());
                }
            } catch (Trouble trouble) {
                failed.accept(trouble);
            }
        }
        return changed;
    }
}
