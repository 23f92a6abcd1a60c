package io.cleat.jobspec.hcl;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The functions by their names. */
final class Functions {
    /** What a function does. */
    @FunctionalInterface
    interface Work {
        Value call(Arguments in) throws Misuse;
    }

    /** Stands for any number of arguments. */
    static final int ANY = Integer.MAX_VALUE;

    private record Function(int least, int most, String usage, Work work) {}

    private final Map<String, Function> byName = new TreeMap<>();

    Functions(RuntimeValues runtime) {
        TextFunctions.addTo(this);
        CollectionFunctions.addTo(this);
        CodecFunctions.addTo(this);
        WorldFunctions.addTo(this, runtime);
    }

    void add(String name, String usage, int least, int most, Work work) {
        byName.put(name, new Function(least, most, usage, work));
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    Set<String> names() {
        return byName.keySet();
    }

    Value call(String name, List<Value> arguments, Source source) throws Misuse {
        Function function = byName.get(name);
        if (function == null) {
            throw new Misuse("There is no function " + name + ".");
        }
        int given = arguments.size();
        if (given < function.least || given > function.most) {
            throw new Misuse("Expected "
                    + name
                    + "("
                    + function.usage
                    + "), given "
                    + given
                    + (given == 1 ? " argument." : " arguments."));
        }
        return function.work.call(new Arguments(arguments, source));
    }
}
