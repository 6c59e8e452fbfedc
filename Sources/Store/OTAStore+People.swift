import Bytes
package import Access
package import Essentials
package import Releases

/// Sign-in settings and the sessions of people: `sign-in.json`, and one document per session in `people/`.
extension OTAStore {
    /// The most sessions of admins at the same time.
    package static let personSessionLimit = 5000
    /// The most sessions of testers at the same time, counted separately.
    package static let testerSessionLimit = 10_000

    /// The sign-in settings; nil if sign-in is not configured.
    package func signInSettings() throws(StoreFailure) -> SignInSettings? {
        try value(SignInRegister.self, .signIn)?.settings
    }

    /// Changes the sign-in settings; `recording` is as in ``change(_:else:_:recording:)``.
    ///
    /// The replaced settings, including their secret, are deleted.
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

    /// The session with an identifier; nil if it has ended or its document cannot be read.
    package func personSession(_ identifier: String) throws -> PersonSession? {
        guard Self.isSessionName(identifier) else { return nil }
        let name = DocumentName.person(identifier)
        // Another server may have opened it a moment ago.
        return try unlessDamaged {
            try value(PersonSession.self, name) ?? value(PersonSession.self, name, isCurrent: true)
        }
    }

    /// All sessions, including those that have expired but were not removed.
    package func personSessions() throws -> [PersonSession] {
        try sessionNames().compactMap { try personSession($0) }
    }

    /// Stores a new session, after removing expired ones to make room.
    ///
    /// - Returns: false if there are too many sessions.
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

    /// Removes expired sessions if there are many, and the oldest sessions of a person who has many.
    ///
    /// - Returns: false if there is no room.
    private func makeRoom(for session: PersonSession, at date: Date) throws -> Bool {
        let isOfTester = session.purpose == .tester
        let others = try sessionNames().filter { PersonSession.isOfTester($0) == isOfTester }
        let limit = isOfTester ? Self.testerSessionLimit : Self.personSessionLimit
        // There are many testers: only every fiftieth sign-in checks all of their sessions.
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
        // A session opened with a link from the server's machine is always admitted, even if there is no
        // room.
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

    /// Changes a session; nil if it has ended.
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
    /// - Returns: whether it existed.
    package func endPersonSession(_ identifier: String) throws -> Bool {
        guard Self.isSessionName(identifier) else { return false }
        let name = DocumentName.person(identifier)
        defer {
            cache.forget(name)
            cache.forget(.people)
        }
        // If a server renews the session at the same time, try again with the new version.
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

    /// Marks something as used that may be used only once.
    ///
    /// - Returns: whether it had not been used before.
    package func use(_ mark: String, until end: Date, at date: Date) throws -> Bool {
        var isNew = false
        _ = try change(.usedMarks, else: UsedMarks()) { marks in
            isNew = marks.use(mark, until: end, at: date)
        }
        return isNew
    }

    /// The used marks that start with a text, including those that another server added a moment ago.
    ///
    /// - Parameters:
    ///   - start: the start of the marks.
    ///   - date: the current time; marks that have expired are left out.
    /// - Returns: the marks.
    /// - Throws: ``StoreFailure``.
    package func usedMarks(
        beginningWith start: String,
        at date: Date,
    ) throws(StoreFailure) -> Set<String> {
        try value(UsedMarks.self, .usedMarks, isCurrent: true)?
            .marks(beginningWith: start, at: date) ?? []
    }

    /// The number of sessions from which on expired ones are removed before one is added.
    private static var sweepCount: Int { 50 }
    /// The most sessions of one person on the admin's pages, once there are many sessions; a further one
    /// ends the person's oldest.
    private static var mostOfPerson: Int { 20 }

    private static func isSessionName(_ text: String) -> Bool {
        let digits = PersonSession.isOfTester(text) ? String(text.dropFirst()) : text
        return digits.utf8.count == 32 && Hex.decode(digits) != nil
    }
}

extension DocumentName {
    static let signIn = DocumentName(known: "sign-in.json")
    /// The folder of people's sessions and of used marks.
    static let people = DocumentName(known: "people")
    static let usedMarks = DocumentName(known: "people", "used.json")

    static func person(_ identifier: String) -> DocumentName {
        DocumentName(known: "people", identifier + ".json")
    }
}
