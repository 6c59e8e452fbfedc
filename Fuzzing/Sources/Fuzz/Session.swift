import Cryptography

/// One run over one kind of input.
struct Session: Sendable {
    let kind: any InputKind
    private let seeds: [[UInt8]]

    init() {
        let name = Arguments.value(of: "kind") ?? ""
        guard let type = Self.kinds.first(where: { $0.name == name }) else {
            stop("--kind is one of \(Self.kinds.map { $0.name }.joined(separator: ", "))")
        }
        let seeds = Seeds(of: type)
        kind = type.init(trusting: seeds.authority, seeds: seeds.inputs)
        self.seeds = seeds.inputs
    }

    /// Every seed must pass before libFuzzer changes any.
    func begin() {
        for seed in seeds { kind.check(seed) }
    }

    static let kinds: [any InputKind.Type] = [
        XMLPropertyLists.self, BinaryPropertyLists.self, ZipArchives.self, Pictures.self,
        Programs.self, Requirements.self, EntitlementEncodings.self, PathPatterns.self,
        Seals.self, Messages.self, Certificates.self, Identities.self, Apps.self, Control.self,
    ]
}
