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
            .named(LogFlushing(sink: configuration.log)),
            .named(failure.signal, endsGroup: true),
            // Stops after everything that depends on it, because services stop in reverse order.
            .named(duties),
            .named(outages),
            .named(certificate.watch(configuration.clock, logger)),
            .named(
                StoreWatch(
                    store: store,
                    health: health,
                    limits: configuration.scrub,
                    duties: duties,
                    logger: logger,
                )
            ),
            .named(notices),
            .named(jobs),
            .named(
                ChannelWatch(
                    store: store,
                    follower: follower,
                    duties: duties,
                    clock: configuration.clock,
                    logger: logger,
                )
            ),
            .named(
                RetentionWatch(
                    store: store,
                    follower: follower,
                    duties: duties,
                    clock: configuration.clock,
                    logger: logger,
                )
            ),
            .named(uploads),
            // Stops after the downloads that it tracks.
            .named(tracker),
        ]
        if let stop { services.append(.named(stop, endsGroup: true)) }
        if let port = configuration.plainPort {
            services.append(.named(listener(on: port, secure: false, bindings)))
        }
        // Services stop in reverse order, so the service with the downloads stops before those above.
        services.append(.named(listener(on: configuration.port, secure: true, bindings)))
        if let mirrors { services.append(.named(mirrors)) }
        // Before those, the responses that would never end.
        services.append(.named(feed))
        services.append(.named(runners))
        // And before anything stops, a load balancer notices that it will.
        services.append(.named(readiness))
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

    /// The service for mirrors, whose builds need a folder on this machine.
    ///
    /// For a store in a bucket that is the spool, and the work is done under a lease; only a store in
    /// memory has none.
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

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// A service named after its type: a service without a name would be described with all its properties
    /// at each start.
    fileprivate static func named(_ service: any Service, endsGroup: Bool = false) -> Self {
        Self(
            service: service,
            successTerminationBehavior: endsGroup ? .gracefullyShutdownGroup : .cancelGroup,
            serviceName: "\(type(of: service))",
        )
    }
}
