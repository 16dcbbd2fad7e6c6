package winnow.broker.admin;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import winnow.broker.identity.ProvenUser;
import winnow.broker.security.UserFile;
import winnow.broker.security.UserFileWriter;
import winnow.broker.session.ConnectionInfo;

/// The broker's users, for the API.
public interface BrokerUsers {
    /// A change that is in force.
    ///
    /// @param written the users before and after it
    /// @param ended the connections that it ends
    record UserChange(
            UserFileWriter.Written written, CompletionStage<List<ConnectionInfo>> ended) {}

    /// True if there is a user file.
    boolean enabled();

    /// Tells if a user may still ask for changes: it was not removed, and has the password that it
    /// has proved. In a guard, no other change comes between the answer and what it decides.
    boolean proves(ProvenUser user);

    /// The users of the user file as it is now.
    ///
    /// @throws IOException if it cannot be read
    UserFile users() throws IOException;

    /// Makes a user or sets the password, and puts the user file into force. Waits for others who
    /// change it.
    ///
    /// @param guard decides whether, by the users of the file
    /// @throws IOException if the file cannot be read or replaced; then nothing has changed
    UserChange putUser(String name, String password, UserFileWriter.Guard guard) throws IOException;

    /// Removes a user, and puts the user file into force. Waits for others who change it.
    ///
    /// @param guard decides whether, by the users of the file
    /// @throws IOException if the file cannot be read or replaced; then nothing has changed
    UserChange removeUser(String name, UserFileWriter.Guard guard) throws IOException;
}
