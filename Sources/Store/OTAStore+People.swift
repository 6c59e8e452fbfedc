import Bytes
package import Access
package import Essentials
package import Releases

/// How people sign in, and their sessions: `sign-in.json`, and a document for each session in `people/`.
extension OTAStore {
    /// Sessions that are kept at once.
    package static let personSessionLimit = 5000
    /// Sessions of testers that are kept at once, beside those.
    package static let testerSessionLimit = 10_000

    /// How people sign in; nil where it is not set up.
    package func signInSettings() throws(StoreFailure) -> SignInSettings? {
        try value(SignInRegister.self, .signIn)?.settings
    }

    /// Changes how people sign in; `recording` as in ``change(_:else:_:recording:)``.
    ///
    /// The replaced settings, with their secret, are forgotten.
    package func changeSignIn(
        _ change: (inout SignInRegister) throws -> Void,
        recording: () throws -> [Activity],
    ) throws {
        let result = try self.change(
            .signIn,
            else: SignInRegister(),
            change,
            recording: recording,
        )
        if result.isChanged { try backend.forgetPrevious(of: .signIn) }
    }

    /// The session of an identifier; nil for one that has ended, or whose document cannot be read.
    package func personSession(_ identifier: String) throws -> PersonSession? {
        guard Self.isSessionName(identifier) else { return nil }
        let name = DocumentName.person(identifier)
        // It may have been opened a moment ago, by another server.
        return try unlessDamaged {
            try value(PersonSession.self, name) ?? value(PersonSession.self, name, isCurrent: true)
        }
    }

    /// All sessions, those that have ended but were not removed among them.
    package func personSessions() throws -> [PersonSession] {
        try sessionNames().compactMap { try personSession($0) }
    }

    /// Keeps a new session, after room was made by removing those that are over.
    ///
    /// - Returns: false where too many are there.
    package func open(
        _ session: PersonSession,
        at date: Date,
        recording: () -> [Activity],
    ) throws -> Bool {
        guard try makeRoom(for: session, at: date) else { return false }
        _ = try change(
            .person(session.identifier),
            else: session,
            { _ in },
            recording: recording,
        )
        return true
    }

    /// Removes sessions that are over, where there are many, and the oldest of a person who has many.
    ///
    /// - Returns: false where there is no room.
    private func makeRoom(for session: PersonSession, at date: Date) throws -> Bool {
        let isOfTester = session.purpose == .tester
        let others = try sessionNames().filter { PersonSession.isOfTester($0) == isOfTester }
        let limit = isOfTester ? Self.testerSessionLimit : Self.personSessionLimit
        // Testers are many: each fiftieth sign-in looks through all.
        let isTurn = !isOfTester || others.count.isMultiple(of: Self.sweepCount)
        var left = others.count
        var same: [PersonSession] = []
        if left >= limit || left >= Self.sweepCount && isTurn {
            for name in others {
                guard let old = try personSession(name) else { continue }
                if old.expires <= date {
                    if try endPersonSession(name) { left -= 1 }
                } else if let person = session.person, old.person?.isSame(as: person) == true {
                    same.append(old)
                }
            }
        }
        if !isOfTester {
            let oldest = same.sorted { $0.opened < $1.opened }
            for old in oldest.dropLast(Self.mostOfPerson - 1)
            where try endPersonSession(old.identifier) { left -= 1 }
        }
        // Anyone with a link from the machine is let in when no one else is.
        guard left < limit || session.person == nil else { return false }
        let own = others.filter { PersonSession.isOfOneTester($0, session.identifier) }
        guard own.count >= PersonSession.mostOfTester else { return true }
        let sessions = try own.compactMap { try personSession($0) }.sorted { $0.opened < $1.opened }
        for old in sessions.dropLast(PersonSession.mostOfTester - 1) {
            _ = try endPersonSession(old.identifier)
        }
        return true
    }

    private func sessionNames() throws -> [String] {
        try backend.names(in: .people).compactMap { file in
            file.dropping(lastBytes: ".json").flatMap { Self.isSessionName($0) ? $0 : nil }
        }
    }

    /// Changes a session; nil where it has ended.
    package func changePersonSession(
        _ identifier: String,
        _ change: (inout PersonSession) throws -> Void,
    ) throws -> PersonSession? {
        guard Self.isSessionName(identifier) else { return nil }
        do {
            return try self.change(.person(identifier), else: nil, change).value
        } catch StoreFailure.missing {
            return nil
        }
    }

    /// Ends a session.
    ///
    /// - Returns: whether it was there.
    package func endPersonSession(_ identifier: String) throws -> Bool {
        guard Self.isSessionName(identifier) else { return false }
        let name = DocumentName.person(identifier)
        defer {
            cache.forget(name)
            cache.forget(.people)
        }
        // Where a server that confirms it writes meanwhile, what it wrote is removed.
        for _ in 0..<20 {
            guard let document = try backend.read(name) else { return false }
            do {
                try backend.delete(name, at: document.version)
                return true
            } catch StoreFailure.conflict {
                continue
            }
        }
        throw StoreFailure.conflict(name)
    }

    /// Uses up what counts once only.
    ///
    /// - Returns: whether it had not been used before.
    package func use(_ mark: String, until end: Date, at date: Date) throws -> Bool {
        var isNew = false
        _ = try change(.usedMarks, else: UsedMarks()) { marks in
            isNew = marks.use(mark, until: end, at: date)
        }
        return isNew
    }

    /// What was used up and begins with a text, also a moment ago by another server.
    ///
    /// - Parameters:
    ///   - start: what the marks begin with.
    ///   - date: now; marks that nothing accepts any more then are left out.
    /// - Returns: the marks.
    /// - Throws: ``StoreFailure``.
    package func usedMarks(
        beginningWith start: String,
        at date: Date,
    ) throws(StoreFailure) -> Set<String> {
        try value(UsedMarks.self, .usedMarks, isCurrent: true)?
            .marks(beginningWith: start, at: date) ?? []
    }

    /// From so many sessions on, those that are over are removed before one is added.
    private static var sweepCount: Int { 50 }
    /// Sessions that one person may have on the admin's pages, once there are many; the oldest ends for
    /// one more.
    private static var mostOfPerson: Int { 20 }

    private static func isSessionName(_ text: String) -> Bool {
        let digits = PersonSession.isOfTester(text) ? String(text.dropFirst()) : text
        return digits.utf8.count == 32 && Hex.decode(digits) != nil
    }
}

extension DocumentName {
    static let signIn = DocumentName(known: "sign-in.json")
    /// The folder of people's sessions, and of what was used up.
    static let people = DocumentName(known: "people")
    static let usedMarks = DocumentName(known: "people", "used.json")

    static func person(_ identifier: String) -> DocumentName {
        DocumentName(known: "people", identifier + ".json")
    }
}
