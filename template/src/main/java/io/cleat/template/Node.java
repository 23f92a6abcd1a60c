package io.cleat.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a template. */
sealed interface Node {
    /** Where it stands in the text, for messages. */
    int at();

    /** What its pipe decides of. */
    sealed interface Piped extends Node {
        Pipe pipe();

        @Override
        default int at() {
            return pipe().at();
        }
    }

    record Text(String text, int at) implements Node {}

    /** Printed, unless it declares or assigns. */
    record Action(Pipe pipe) implements Piped {}

    record If(Pipe pipe, List<Node> then, List<Node> otherwise) implements Piped {}

    record With(Pipe pipe, List<Node> body, List<Node> otherwise) implements Piped {}

    record Range(Pipe pipe, List<Node> body, List<Node> otherwise) implements Piped {}

    record Break(int at) implements Node {}

    record Continue(int at) implements Node {}

    /** Another template, with the pipe's value as its data. */
    record Include(String name, @Nullable Pipe pipe, int at) implements Node {}

    /**
     * Commands, each given what the one before it gave.
     *
     * @param variables that are declared or assigned; at most one, or two in a range
     * @param declares whether they are new
     */
    record Pipe(List<String> variables, boolean declares, List<Command> commands, int at) {}

    /** @param operands not empty; the first may be a function */
    record Command(List<Operand> operands, int at) {}

    /** Something with a value. */
    sealed interface Operand {
        int at();
    }

    record Constant(@Nullable Object value, int at) implements Operand {}

    record Dot(int at) implements Operand {}

    /** {@code .A.B}. */
    record Field(List<String> path, int at) implements Operand {}

    record Variable(String name, int at) implements Operand {}

    record Called(String function, int at) implements Operand {}

    /** In parentheses. */
    record Nested(Pipe pipe, int at) implements Operand {}

    /** Fields of something else than the dot. */
    record Chain(Operand of, List<String> path, int at) implements Operand {}
}
