package io.cleat.jobspec;

import io.cleat.jobspec.hcl.Fault;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What reading a file gives: the value, or all that is wrong with the file. */
public sealed interface Parsed<T> {
    /** The file is right. */
    record Good<T>(T value) implements Parsed<T> {}

    /**
     * The file is wrong; at least one fault.
     *
     * @param rest the value without what this version does not support, if nothing else is wrong: it may break further
     *     rules
     */
    record Bad<T>(List<Fault> faults, Optional<T> rest) implements Parsed<T> {
        public Bad {
            faults = List.copyOf(faults);
        }

        public Bad(List<Fault> faults) {
            this(faults, Optional.empty());
        }

        /** One line per fault, as an answer over HTTP has them. */
        public String lines() {
            return faults.stream().map(Fault::oneLine).collect(Collectors.joining("\n"));
        }
    }
}
