/// A run with one kind of input.
struct Session: Sendable {
    let kind: any InputKind

    /// This program's run, from its first input on.
    static let current = Session()

    private init() {
        let name = Arguments.value(of: "kind") ?? ""
        guard let type = Self.kinds.first(where: { $0.name == name }) else {
            stop("--kind is one of \(Self.kinds.map { $0.name }.joined(separator: ", "))")
        }
        let seeds = Seeds(of: type)
        kind = type.init(trusting: seeds.authority, seeds: seeds.inputs)
    }

    static let kinds: [any InputKind.Type] = [
        XMLPropertyLists.self, BinaryPropertyLists.self, ZipArchives.self, Pictures.self,
        Programs.self, Requirements.self, EntitlementEncodings.self, PathPatterns.self,
        Seals.self, Messages.self, Certificates.self, PrivateKeys.self, Apps.self, Tags.self,
        Settings.self, Projects.self, Icons.self, EntryPaths.self, RequestHeads.self,
        UploadOffers.self, HookDeliveries.self, PipelineFiles.self, Cookies.self, Forms.self,
        JSONOutlines.self, TolerantLists.self, Notes.self, Signings.self, Identities.self,
        Control.self,
    ]
}
