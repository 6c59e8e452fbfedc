import Addresses
import Foundation
import GitRepositories
import MirrorBuilds
import Mirrors
import Store
import Synchronization
import TestSupport
import Testing

/// A fetch connects only to the address that was checked.
@Suite struct FetchGuardTests {
    /// Resolves a name to one list after the other, as an attacker's name server does.
    private final class Resolver: Sendable {
        private let answers: Mutex<[[InternetAddress]]>
        private let asked = Mutex<[String]>([])

        init(_ answers: [InternetAddress]...) {
            self.answers = Mutex(answers)
        }

        var names: [String] { asked.withLock { $0 } }

        @Sendable func addresses(of name: String) -> [InternetAddress] {
            asked.withLock { $0.append(name) }
            return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
        }
    }

    private static func problem(
        fetching address: String,
        in room: MirrorRoom,
        by resolver: Resolver,
        publicOnly: Bool = false,
        surroundings: [String: String] = [:],
    ) async throws -> String {
        let name = "m\(UUID().uuidString.lowercased().prefix(8))"
        let mirror = try room.add(name) {
            $0.isPublicOnly = publicOnly
            $0.limits.fetchSeconds = 20
        }
        let checked = try MirrorAddress(checking: address)
        try room.store.changeMirrors { register in
            try register.change(mirror.name) { $0.address = checked }
        }
        var place = MirrorContext(
            store: room.store,
            folders: MirrorFolders(store: room.folder.appending(path: "store").path()),
            anchors: room.place.anchors,
            surroundings: surroundings,
            clock: room.place.clock,
        )
        place.resolver = { resolver.addresses(of: $0) }
        await #expect(throws: (any Error).self) {
            try await Synchronisation(of: room.mirror(name), in: place, by: "ana").run()
        }
        return try #require(try room.store.mirrorState(mirror.name).problem)
    }

    private static func v4(_ text: String) throws -> InternetAddress {
        try #require(InternetAddress(v4: text))
    }

    /// `git` and `ssh` would resolve this name to 127.0.0.1 themselves.
    @Test(arguments: ["https://localhost:PORT/a.git", "ssh://git@localhost:PORT/a.git"])
    func `a fetch connects to the address that was judged, whatever its name leads to then`(
        form: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let judged = try ConnectionCounter(at: 0x7F00_0002)
            let own = try ConnectionCounter(at: 0x7F00_0001, port: judged.port)
            let resolver = Resolver([try Self.v4("127.0.0.2")], [try Self.v4("127.0.0.1")])
            let address = form.replacingOccurrences(of: "PORT", with: String(judged.port))
            let problem = try await Self.problem(fetching: address, in: room, by: resolver)
            #expect(resolver.names == ["localhost"], "\(problem)")
            #expect(judged.count > 0, "\(problem)")
            #expect(own.count == 0, "\(problem)")
        }
    }

    @Test
    func `a name that leads inside the network is refused where the admin has not allowed it`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let counter = try ConnectionCounter(at: 0x7F00_0001)
            let address = "https://git.example.test:\(counter.port)/a.git"
            for answer in [["127.0.0.1"], ["93.184.216.34", "10.0.0.5"], ["169.254.169.254"]] {
                let resolver = Resolver(try answer.map(Self.v4))
                let problem = try await Self.problem(
                    fetching: address,
                    in: room,
                    by: resolver,
                    publicOnly: true,
                )
                #expect(problem.contains("“git.example.test” resolves to"), "\(problem)")
            }
            // Nothing is ever fetched from a cloud's metadata service.
            let metadata = try await Self.problem(
                fetching: address,
                in: room,
                by: Resolver([try Self.v4("169.254.169.254")]),
            )
            #expect(metadata.contains("resolves to 169.254.169.254"), "\(metadata)")
            let literal = try await Self.problem(
                fetching: "https://127.0.0.1:\(counter.port)/a.git",
                in: room,
                by: Resolver(),
                publicOnly: true,
            )
            #expect(literal.contains("host is this machine"), "\(literal)")
            for host in ["127.1", "2130706433", "0x7f.1", "git.example.test."] {
                let problem = try await Self.problem(
                    fetching: "https://\(host):\(counter.port)/a.git",
                    in: room,
                    by: Resolver([try Self.v4("93.184.216.34")]),
                )
                #expect(problem.contains("written in an ambiguous form"), "\(host): \(problem)")
            }
            let nowhere = try await Self.problem(fetching: address, in: room, by: Resolver([]))
            #expect(nowhere.contains("no name server has an address for it"), "\(nowhere)")
            #expect(counter.count == 0)
        }
    }

    @Test func `a proxy connects by itself, except for what it is not asked for`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let proxy = try ConnectionCounter(at: 0x7F00_0001)
            let variables = ["https_proxy": "http://127.0.0.1:\(proxy.port)"]
            let resolver = Resolver([try Self.v4("10.0.0.5")])
            let address = "https://git.example.test/a.git"
            _ = try await Self.problem(
                fetching: address,
                in: room,
                by: resolver,
                publicOnly: true,
                surroundings: variables,
            )
            #expect(resolver.names.isEmpty && proxy.count > 0)
            let exempt = try await Self.problem(
                fetching: address,
                in: room,
                by: resolver,
                publicOnly: true,
                surroundings: variables.merging(["no_proxy": "example.test"]) { $1 },
            )
            #expect(exempt.contains("resolves to 10.0.0.5"), "\(exempt)")
        }
    }
}

/// Counts connections to an address of the loopback network, and closes them at once.
private final class ConnectionCounter: Sendable {
    let port: Int
    private let descriptor: Int32
    private let connections = Mutex(0)

    struct NoListener: Error {}

    init(at host: UInt32, port: Int = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: host.bigEndian)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0
                    && getsockname(listener, pointer, &length) == 0 && listen(listener, 16) == 0
            }
        }
        guard isBound else { throw NoListener() }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                self?.connections.withLock { $0 += 1 }
                close(client)
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    var count: Int { connections.withLock { $0 } }
}
