package io.cleat.driver.shim;

import io.cleat.base.DriverTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExitResult;
import io.cleat.kernel.ShimExec;
import java.util.Optional;

/** A command that a task's shim runs. */
record ShimSession(ShimExec exec) implements ExecSession {
    @Override
    public void input(byte[] bytes) throws DriverTrouble, InterruptedException {
        try {
            exec.input(bytes);
        } catch (KernelTrouble gone) {
            throw trouble(gone);
        }
    }

    @Override
    public void endInput() throws DriverTrouble, InterruptedException {
        try {
            exec.endInput();
        } catch (KernelTrouble gone) {
            throw trouble(gone);
        }
    }

    @Override
    public void resize(int rows, int columns) throws DriverTrouble, InterruptedException {
        try {
            exec.resize(rows, columns);
        } catch (KernelTrouble gone) {
            throw trouble(gone);
        }
    }

    @Override
    public Optional<Output> next() throws DriverTrouble, InterruptedException {
        try {
            return exec.next().map(ShimSession::output);
        } catch (KernelTrouble gone) {
            throw trouble(gone);
        }
    }

    private static Output output(ShimExec.Output output) {
        return switch (output) {
            case ShimExec.Output.Out(byte[] bytes) -> new Output.Out(bytes);
            case ShimExec.Output.Err(byte[] bytes) -> new Output.Err(bytes);
            case ShimExec.Output.Exited(int code, int signal) ->
                new Output.Exited(new ExitResult(signal == 0 ? code : 128 + signal, signal, false));
        };
    }

    private static DriverTrouble trouble(KernelTrouble gone) {
        return new DriverTrouble(gone.reason(), gone.effect(), gone.retry(), gone);
    }

    @Override
    public void close() {
        exec.close();
    }
}
