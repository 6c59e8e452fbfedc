import HTTPServing
import Mirrors
import ServiceLifecycle
import Store
import UnixSignals

/// The services that run with the server.
extension ServerSetup {
    func run(
        until stop: StopSignal?,
        onReady: @escaping @Sendable (ServerAddresses) async -> Void,
    ) async throws {
        let failure = StartupFailure()
        let bindings = PortBindings(
            ports: configuration.plainPort == nil ? 1 : 2,
            waiting: store.isElsewhere ? WaitingExecutor() : nil,
        ) { ports in
            do {
                try await open(ports, onReady)
            } catch {
                failure.end(with: error)
            }
        }
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: LogFlushing(sink: configuration.log)),
            .init(
                service: failure.signal,
                successTerminationBehavior: .gracefullyShutdownGroup,
            ),
            // Given back behind everything that acts on it.
            .init(service: duties),
            .init(service: certificate.watch(configuration.clock, logger)),
            .init(
                service: StoreWatch(
                    store: store,
                    health: health,
                    limits: configuration.scrub,
                    duties: duties,
                    logger: logger,
                )
            ),
            .init(service: notices),
            .init(service: jobs),
            .init(
                service: ChannelWatch(
                    store: store,
                    follower: follower,
                    duties: duties,
                    clock: configuration.clock,
                    logger: logger,
                )
            ),
            .init(service: uploads),
            // Stops behind the downloads that it follows.
            .init(service: tracker),
        ]
        if let stop {
            services.append(
                .init(service: stop, successTerminationBehavior: .gracefullyShutdownGroup)
            )
        }
        if let port = configuration.plainPort {
            services.append(.init(service: listener(on: port, secure: false, bindings)))
        }
        // Services stop in reverse order: first the one with the downloads.
        services.append(.init(service: listener(on: configuration.port, secure: true, bindings)))
        if let mirrors { services.append(.init(service: mirrors)) }
        // And before those, the responses that would go on for ever.
        services.append(.init(service: feed))
        services.append(.init(service: runners))
        // And before anything stops, a balancer learns that it will.
        services.append(.init(service: readiness))
        var lifecycle = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger,
        )
        lifecycle.maximumGracefulShutdownDuration =
            configuration.drainTime + configuration.limits.shutdownTime
        try await ServiceGroup(configuration: lifecycle).run()
        try failure.check()
    }

    /// Builds need files, so there are mirrors only where the store is a folder.
    private var mirrors: MirrorService? {
        guard (try? MirrorFolders(of: store)) != nil else { return nil }
        return MirrorService(
            store: store,
            follower: follower,
            surroundings: configuration.surroundings,
            hidden: [configuration.certificate?.key, configuration.keyFile?.path]
                .compactMap(\.self),
            signer: signer,
            clock: configuration.clock,
            logger: logger,
        )
    }
}
