package io.cleat.agent.template;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a text was made of, as it was just before: it holds as long as that is still so.
 *
 * @param files which were looked at; also those that were not there
 * @param variables the version of each that was read, by path: 0 for one that was not there, {@link #UNANSWERED} while
 *     no server had answered
 * @param services the number of each that was read, by name, likewise
 */
record MadeOf(Map<Place, Optional<FileLook>> files, Map<String, Long> variables, Map<String, Long> services) {
    static final MadeOf NOTHING = new MadeOf(Map.of(), Map.of(), Map.of());

    /** The version of a variable of which nothing is known yet. */
    static final long UNANSWERED = -1;

    MadeOf {
        files = Map.copyOf(files);
        variables = Map.copyOf(variables);
        services = Map.copyOf(services);
    }

    boolean isNothing() {
        return files.isEmpty() && variables.isEmpty() && services.isEmpty();
    }

    /** This, and what is in the other, which wins. */
    MadeOf and(MadeOf other) {
        Map<Place, Optional<FileLook>> allFiles = new HashMap<>(files);
        allFiles.putAll(other.files);
        Map<String, Long> allVariables = new HashMap<>(variables);
        allVariables.putAll(other.variables);
        Map<String, Long> allServices = new HashMap<>(services);
        allServices.putAll(other.services);
        return new MadeOf(allFiles, allVariables, allServices);
    }

    /** The same things, as they are now. */
    MadeOf now(TaskFiles look, TemplateInput of) throws KernelTrouble, InterruptedException {
        Map<Place, Optional<FileLook>> filesNow = new HashMap<>();
        for (Place place : files.keySet()) {
            filesNow.put(place, look.look(place));
        }
        Map<String, Long> variablesNow = new HashMap<>();
        for (String path : variables.keySet()) {
            variablesNow.put(path, version(of.nomad().answer(), path));
        }
        Map<String, Long> servicesNow = new HashMap<>();
        for (String name : services.keySet()) {
            servicesNow.put(name, number(of.services().answer(name)));
        }
        return new MadeOf(filesNow, variablesNow, servicesNow);
    }

    /** The number of what is known of a service. */
    static long number(Optional<TaskServices.Answer> answer) {
        return answer.map(TaskServices.Answer::number).orElse(UNANSWERED);
    }

    /** The version of a variable, as far as it is known. */
    static long version(Optional<TaskVariables.Answer> answer, String path) {
        if (answer.isEmpty() || !answer.get().fault().isEmpty()) {
            return UNANSWERED;
        }
        TaskVariables.Variable variable = answer.get().byPath().get(path);
        return variable == null ? 0 : variable.version();
    }
}
