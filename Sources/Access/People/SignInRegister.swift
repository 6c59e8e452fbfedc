/// The document of the sign-in settings, without settings if they were removed again.
package struct SignInRegister: Codable, Equatable, Sendable {
    package var schema = 1
    package var settings: SignInSettings?

    package init() {}
}
