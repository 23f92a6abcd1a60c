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
 * @param variables the version of each that was read, by path: 0 for one that was not there, {@link
 *     #UNTOLD} while no server had told
 */
record MadeOf(Map<Place, Optional<FileLook>> files, Map<String, Long> variables) {
    static final MadeOf NOTHING = new MadeOf(Map.of(), Map.of());

    /** The version of a variable of which nothing is known yet. */
    static final long UNTOLD = -1;

    MadeOf {
        files = Map.copyOf(files);
        variables = Map.copyOf(variables);
    }

    boolean isNothing() {
        return files.isEmpty() && variables.isEmpty();
    }

    /** This, and what is in the other, which wins. */
    MadeOf and(MadeOf other) {
        Map<Place, Optional<FileLook>> allFiles = new HashMap<>(files);
        allFiles.putAll(other.files);
        Map<String, Long> allVariables = new HashMap<>(variables);
        allVariables.putAll(other.variables);
        return new MadeOf(allFiles, allVariables);
    }

    /** The same things, as they are now. */
    MadeOf now(TaskFiles look, TaskVariables of) throws KernelTrouble, InterruptedException {
        Map<Place, Optional<FileLook>> filesNow = new HashMap<>();
        for (Place place : files.keySet()) {
            filesNow.put(place, look.look(place));
        }
        Map<String, Long> variablesNow = new HashMap<>();
        for (String path : variables.keySet()) {
            variablesNow.put(path, version(of.told(), path));
        }
        return new MadeOf(filesNow, variablesNow);
    }

    /** The version of a variable, as it is told. */
    static long version(Optional<TaskVariables.Told> told, String path) {
        if (told.isEmpty() || !told.get().fault().isEmpty()) {
            return UNTOLD;
        }
        TaskVariables.Variable variable = told.get().byPath().get(path);
        return variable == null ? 0 : variable.version();
    }
}
