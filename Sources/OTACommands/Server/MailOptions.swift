import ArgumentParser
import Bytes
import Cryptography
import Foundation
import NIOSSL
import Notices
import Problems
import Releases

/// The mail server that relays the server's e-mail.
struct MailOptions: ParsableArguments {
    /// The largest password file, in bytes.
    private static let passwordFileLimit = 4096

    @Option(
        help: ArgumentHelp(
            """
            The mail server for webhooks of the kind email: smtps://host (TLS, port 465), or smtp://host \
            (STARTTLS, port 587; without TLS only on this machine).
            """,
            valueName: "url",
        )
    )
    var smtp: MailServerURL?

    @Option(
        help: ArgumentHelp(
            "The address that e-mail is sent from; needed with --smtp.",
            valueName: "email",
        )
    )
    var smtpFrom: MailAddress?

    @Option(help: ArgumentHelp("The user name for the mail server.", valueName: "user"))
    var smtpUser: String?

    @Option(
        help: ArgumentHelp(
            "A file with the password for the mail server, readable only by its owner.",
            valueName: "file",
        )
    )
    var smtpPasswordFile: String?

    @Option(
        name: .customLong("smtp-ca-file"),
        help: ArgumentHelp(
            "A PEM file with the private authority of the mail server.",
            valueName: "file",
        ),
    )
    var smtpAuthorities: String?

    func validate() throws {
        guard smtp != nil else {
            guard smtpFrom == nil, smtpUser == nil, smtpPasswordFile == nil, smtpAuthorities == nil
            else { throw ValidationError("the other --smtp options need --smtp") }
            return
        }
        guard smtpFrom != nil else { throw ValidationError("--smtp needs --smtp-from") }
        guard (smtpUser == nil) == (smtpPasswordFile == nil) else {
            throw ValidationError("give --smtp-user and --smtp-password-file together")
        }
        guard smtpUser == nil || smtp?.security != MailServerURL.Security.none else {
            throw ValidationError("a password is sent with TLS only: give --smtp smtps://…")
        }
    }

    /// - Throws: ``Problem`` for a file that cannot be used.
    func server() throws -> MailServer? {
        guard let smtp, let smtpFrom else { return nil }
        let authorities = try smtpAuthorities.map { try AnchorOptions.certificates(in: $0) } ?? []
        return MailServer(
            smtp,
            from: smtpFrom,
            login: try login(),
            authorities: try authorities.map {
                try NIOSSLCertificate(bytes: $0.der, format: .der)
            },
        )
    }

    private func login() throws -> MailLogin? {
        guard let smtpUser, let smtpPasswordFile else { return nil }
        var status = stat()
        let others: mode_t = 0o077
        if unsafe stat(smtpPasswordFile, &status) == 0, status.st_mode & others != 0 {
            throw Problem(
                id: "mail.password-readable",
                kind: .refused,
                message: "other users of this machine can read the password",
                place: smtpPasswordFile,
                fix: "run chmod 600 \(smtpPasswordFile)",
            )
        }
        let text = try TextInput.read(smtpPasswordFile, limit: Self.passwordFileLimit)
        let password = String(text.prefix { !$0.isNewline })
        guard let login = MailLogin(user: smtpUser, password: password) else {
            throw Problem(
                id: "mail.bad-login",
                kind: .invalid,
                message: "user and password must be 1 to \(MailLogin.lengthLimit) bytes without "
                    + "control characters",
                place: smtpPasswordFile,
                fix: "put the password on the first line of the file",
            )
        }
        return login
    }
}

extension MailServerURL: TypedValue {}

extension MailAddress: TypedValue {}
