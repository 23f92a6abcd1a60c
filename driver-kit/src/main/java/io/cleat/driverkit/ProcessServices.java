package io.cleat.driverkit;

import com.google.protobuf.Empty;
import io.cleat.driverschema.GRPCControllerGrpc;
import io.cleat.driverschema.GRPCStdioGrpc;
import io.cleat.driverschema.HealthCheckRequest;
import io.cleat.driverschema.HealthCheckResponse;
import io.cleat.driverschema.HealthGrpc;
import io.cleat.driverschema.StdioData;
import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What every program of this kind serves beside its purpose: that it lives, and its end. */
final class ProcessServices {
    private ProcessServices() {}

    /** @param end counted down when the program is asked to end */
    static List<BindableService> of(CountDownLatch end) {
        return List.of(new Controller(end), new Printed(end), new Health());
    }

    private static final class Controller extends GRPCControllerGrpc.GRPCControllerImplBase {
        private final CountDownLatch end;

        Controller(CountDownLatch end) {
            this.end = end;
        }

        @Override
        public void shutdown(io.cleat.driverschema.Empty request, StreamObserver<io.cleat.driverschema.Empty> to) {
            to.onNext(io.cleat.driverschema.Empty.getDefaultInstance());
            to.onCompleted();
            end.countDown();
        }
    }

    /** Its output is its own; it has nothing to print that somebody waits for. */
    private static final class Printed extends GRPCStdioGrpc.GRPCStdioImplBase {
        private final CountDownLatch end;

        Printed(CountDownLatch end) {
            this.end = end;
        }

        @Override
        public void streamStdio(Empty request, StreamObserver<StdioData> to) {
            Calls.complete(to, end::await);
        }
    }

    private static final class Health extends HealthGrpc.HealthImplBase {
        @Override
        public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> to) {
            Calls.answer(
                    to,
                    () -> HealthCheckResponse.newBuilder()
                            .setStatus(HealthCheckResponse.ServingStatus.SERVING)
                            .build());
        }
    }
}
