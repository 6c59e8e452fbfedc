import Essentials
package import Identifiers
package import Releases
package import Store

/// The documents of mirrors.
extension OTAStore {
    package func mirrors() throws(StoreFailure) -> MirrorRegister {
        try value(MirrorRegister.self, DocumentName("mirrors.json")) ?? MirrorRegister()
    }

    /// - Throws: ``MirrorRefusal/unknown(_:)`` or ``StoreFailure``.
    package func mirror(named text: String) throws -> Mirror {
        guard let name = Slug(text), let mirror = try mirrors()[name] else {
            throw MirrorRefusal.unknown(text)
        }
        return mirror
    }

    /// Returns a mirror that is not paused.
    ///
    /// - Throws: ``MirrorRefusal/unknown(_:)``, ``MirrorRefusal/paused(_:)``, or ``StoreFailure``.
    package func mirrorInUse(named text: String) throws -> Mirror {
        let mirror = try mirror(named: text)
        try mirror.checkInUse()
        return mirror
    }

    /// Changes the register of mirrors.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``.
    @discardableResult
    package func changeMirrors(
        _ change: (inout MirrorRegister) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> MirrorRegister {
        let name = try DocumentName("mirrors.json")
        return try self.change(name, else: MirrorRegister(), change, recording: recording).value
    }

    package func mirrorState(_ mirror: Slug) throws(StoreFailure) -> MirrorState {
        try value(MirrorState.self, .mirrorState(mirror)) ?? MirrorState()
    }

    /// Changes what the server knows of a mirror's repository.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``.
    @discardableResult
    package func changeMirrorState(
        _ mirror: Slug,
        _ change: (inout MirrorState) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> MirrorState {
        try self.change(
            .mirrorState(mirror),
            else: MirrorState(),
            change,
            recording: recording,
        ).value
    }

    /// The numbers of a mirror's builds, newest first.
    package func runNumbers(of mirror: Slug) throws(StoreFailure) -> [Int] {
        try names(in: DocumentName("runs", mirror.rawValue))
            .compactMap { $0.hasSuffix(".json") ? Int($0.dropLast(5)) : nil }
            .sorted(by: >)
    }

    /// Removes the secrets, the builds' records and the state of a mirror, in this order.
    func forgetAll(of mirror: Slug) throws(StoreFailure) {
        try delete(.secrets(mirror))
        for number in try runNumbers(of: mirror) { try delete(.run(number, of: mirror)) }
        try delete(.mirrorState(mirror))
    }

    private func delete(_ name: DocumentName) throws(StoreFailure) {
        guard let document = try backend.read(name) else { return }
        try backend.delete(name, at: document.version)
        try backend.forgetPrevious(of: name)
    }
}

extension DocumentName {
    static func mirrorState(_ mirror: Slug) throws(StoreFailure) -> DocumentName {
        try DocumentName("following", "\(mirror).json")
    }

    package static func run(_ number: Int, of mirror: Slug) throws(StoreFailure) -> DocumentName {
        let digits = String(number)
        let padding = String(repeating: "0", count: max(0, 6 - digits.count))
        return try DocumentName("runs", mirror.rawValue, "\(padding)\(digits).json")
    }
}
